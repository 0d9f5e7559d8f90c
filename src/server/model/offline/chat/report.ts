// Puts the outcomes of writes in words, and takes what landed into what is known, for a question in the same message.
import { sentenceOf } from "../answer/say.ts";
import { sayDate } from "../language/calendar.ts";
import { plainLinks, readLine } from "../lines.ts";
import type { Turn } from "./context.ts";
import type { Write } from "./save.ts";

const LANDED =
  /^(Saved|Changed|Already known|Closed|Removed) (?:in|from) ([^:]+): (.*?)(?: \{([a-z0-9]{4,12})\})?(?: \(before: (.*)\))?(?:, ended (\d{4}(?:-\d\d){0,2}))?$/;
const REFUSED = /^Not saved \(([a-z-]+)\): (.*)$/s;
const WAITS = /^Waits for a click: (.*)$/s;

const stop = (sentence: string): string => (/[.!?…。！？।]["”’)]?$/u.test(sentence) ? sentence : `${sentence}.`);

/** Says what each write did. `results` stand in the order of the writes. */
export function reportWrites(writes: readonly Write[], results: readonly string[], turn: Turn): void {
  const saved: string[] = [];
  const known: string[] = [];
  const corrected: string[] = [];
  const files = new Set<string>();
  const rest: string[] = [];
  /** Texts that a saved line says it came after: its sentence tells their end, by its own day. */
  const told = new Set(results.map((result) => LANDED.exec(result.split("\n")[0] ?? "")?.[5]).filter(Boolean));
  let waiting = 0;
  writes.forEach((one, i) => {
    const result = results[i] ?? "";
    const [first = ""] = result.split("\n");
    const landed = LANDED.exec(first);
    if (landed) {
      const [, verb, path = "", text = "", id, before, ended] = landed;
      take(verb!, path, text, id, one, turn);
      if (one.silent) return;
      const sentence = sayText(text, one, path);
      if (verb === "Already known") known.push(sentence);
      else if (verb === "Closed" || verb === "Removed") {
        if (!told.has(text)) rest.push(`Closed: “${plainLinks(text)}”${ended ? `, until ${sayDate(ended)}` : ""}.`);
      } else if (one.call.input["why"] === "wrong") corrected.push(sentence);
      else {
        saved.push(before && before !== text ? `${sentence} Before: “${plainLinks(before)}”.` : sentence);
        if (path.startsWith("people/")) files.add(path);
      }
      return;
    }
    if (one.silent) return;
    const refused = REFUSED.exec(result);
    if (WAITS.test(result)) waiting++;
    else if (refused) rest.push(refusal(refused[1]!, refused[2]!));
    else if (first.startsWith("Already known")) known.push(sayText(String(one.call.input["text"] ?? ""), one, ""));
    else if (first) rest.push(stop(first));
    else rest.push("Nothing was saved: the memory did not answer.");
  });
  if (saved.length > 0)
    turn.said.push(`Remembered${files.size > 0 ? ` in ${[...files].join(" and ")}` : ""}: ${saved.join(" ")}`);
  if (corrected.length > 0) turn.said.push(`Corrected: ${corrected.join(" ")}`);
  if (known.length > 0) turn.said.push(`${known.length === 1 ? "That is" : "Those are"} kept already: ${known.join(" ")}`);
  turn.said.push(...new Set(rest));
  if (waiting > 0) turn.said.push(waiting === 1 ? "One change waits for your click." : "Those changes wait for your click.");
}

function refusal(code: string, message: string): string {
  if (code === "secret")
    return "That holds what looks like a secret. Secrets do not belong in a memory that can be cloned, so it was not kept.";
  if (code === "forgotten") return "Not saved: you asked to forget this. It stays out until you ask me to remember it again.";
  return stop(`Not saved: ${message.split("\n")[0]!.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())}`);
}

/** A saved text as a sentence for the user. */
function sayText(text: string, one: Write, path: string): string {
  const plain = plainLinks(text);
  const name = path.startsWith("people/") ? one.name : null;
  const on = one.call.input["on"];
  const since = one.call.input["since"];
  const when =
    typeof on === "string"
      ? ` ${on.length === 10 ? "on" : "in"} ${sayDate(on)}`
      : typeof since === "string"
        ? since > ""
          ? `, from ${sayDate(since)}`
          : ""
        : "";
  const sentence = sentenceOf(plain, name);
  return sentence === null ? stop(`“${plain}”${when}`) : stop(`${sentence}${when}`);
}

/** What landed becomes known; what was closed is no longer current. */
function take(verb: string, path: string, text: string, id: string | undefined, one: Write, turn: Turn): void {
  const line = readLine(text, path === "MEMORY" ? null : path);
  if (!line) return;
  line.path = path === "MEMORY" || path === "MEMORY.md" ? null : path;
  if (id) line.id = id;
  for (const key of ["on", "since", "until", "expires"] as const) {
    const value = one.call.input[key];
    if (typeof value === "string" && verb === "Saved") line[key] = value;
  }
  const changed = one.call.name === "revise" ? String(one.call.input["id"] ?? "") : "";
  for (const other of turn.knowledge.all) if (other.line.id === changed) other.line.state = "closed";
  if (verb !== "Closed" && verb !== "Removed") turn.knowledge.add([line]);
}
