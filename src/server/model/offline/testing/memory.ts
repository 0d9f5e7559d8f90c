// A small memory for tests of the offline model: entries, slots, closing, forgetting and recall by words, as the tools show them. No git, no gate.
import { normalText } from "../../../../shared/normal.ts";
import { fold, lineStems, contentStems, holds } from "../language/words.ts";
import { plainLinks } from "../lines.ts";

export interface TestEntry {
  id: string;
  path: string;
  text: string;
  slot?: string;
  since?: string;
  until?: string;
  on?: string;
  expires?: string;
  added: string;
  closed?: string;
  why?: string;
  replaces?: string;
}

export interface TestTombstone {
  path: string;
  text: string;
}

const first = (date: string): string => (date.length === 4 ? `${date}-01-01` : date.length === 7 ? `${date}-01` : date);

export class TestMemory {
  entries: TestEntry[] = [];
  tombstones: TestTombstone[] = [];
  private count = 0;

  state(entry: TestEntry, today: string): "open" | "upcoming" | "past" | "closed" {
    if (entry.why === "wrong" || (entry.until && first(entry.until) <= today) || (entry.closed && !entry.until)) return "closed";
    const ahead = [entry.since, entry.on].some((date) => date && first(date) > today);
    if (ahead) return "upcoming";
    const day = entry.on ?? entry.expires;
    return day && today.slice(0, day.length) > day ? "past" : "open";
  }

  /** The line with its dates, as shared/chain.ts writes it. */
  chain(entry: TestEntry, today: string): string {
    const before: string[] = [];
    for (let one = this.byId(entry.replaces); one && before.length < 2; one = this.byId(one.replaces)) {
      if (one.why !== "wrong")
        before.push(
          `${before.length === 0 ? "before" : "before that"}: ${one.text}, ${one.since ? `${one.since} to ${one.until}` : `until ${one.until}`}`,
        );
    }
    const state = this.state(entry, today);
    const span =
      entry.since && entry.until
        ? [`${entry.since} to ${entry.until}`]
        : [
            ...(entry.since ? [`${first(entry.since) > today ? "from" : "since"} ${entry.since}`] : []),
            ...(entry.until ? [`until ${entry.until}`] : []),
          ];
    const own = [
      ...(entry.why === "wrong" ? ["was never true"] : state === "closed" ? [[...span, "no longer true"].join(", ")] : span),
      ...(entry.on ? [`${state === "past" ? "was on" : "on"} ${entry.on}`] : []),
      ...(entry.expires ? [`expires ${entry.expires}`] : []),
    ];
    const parts = [...own, ...before];
    return parts.length > 0 ? `${entry.text} (${parts.join("; ")})` : entry.text;
  }

  byId(id: string | undefined): TestEntry | undefined {
    return id ? this.entries.find((one) => one.id === id) : undefined;
  }

  current(today: string): TestEntry[] {
    return this.entries.filter((one) => this.state(one, today) !== "closed");
  }

  line(entry: TestEntry, today: string): string {
    const state = this.state(entry, today);
    return `${entry.path}: ${state === "open" ? "" : `${state}: `}${this.chain(entry, today)} {${entry.id}}`;
  }

  recall(query: string, today: string, limit = 6): TestEntry[] {
    const wanted = contentStems(query);
    const replaced = new Set(this.entries.map((one) => one.replaces));
    const scored = this.entries
      .filter((one) => this.state(one, today) !== "closed" || (one.why !== "wrong" && !replaced.has(one.id)))
      .map((one) => {
        const text = `${plainLinks(one.text)} ${one.path.startsWith("people/") ? one.path.slice(7).replace(/-/g, " ") : ""}`;
        const stems = lineStems(text);
        return { one, score: wanted.filter((word) => holds(stems, fold(text), word)).length };
      })
      .filter(({ score, one }) => score > 0 && !/^\[\[[^\]]+\]\]$/.test(one.text));
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ one }) => one);
  }

  run(name: string, input: Record<string, string>, today: string): string {
    switch (name) {
      case "recall": {
        const found = this.recall(input["query"]!, today);
        return found.length > 0 ? found.map((one) => this.line(one, today)).join("\n") : "Nothing found.";
      }
      case "read": {
        const path = input["path"]!.replace(/\.md$/, "");
        const lines = this.entries
          .filter((one) => one.path === path)
          .map((one) => `- ${this.line(one, today).slice(path.length + 2)}`);
        return lines.length > 0 ? [`<file path="${path}.md">`, ...lines, "</file>"].join("\n") : "Nothing found.";
      }
      case "remember":
        return this.remember(input, today);
      case "revise":
        return this.revise(input, today);
      case "forget":
        return this.forget(input, today);
      default:
        return "There is no such tool.";
    }
  }

  private covered(path: string, text: string): TestTombstone | undefined {
    return this.tombstones.find((stone) => {
      if (normalText(stone.text) === normalText(text) && stone.path === path) return true;
      const words = contentStems(stone.text);
      const stems = lineStems(text);
      return stone.path === path && words.length > 1 && words.filter((word) => stems.has(word)).length >= 0.8 * words.length;
    });
  }

  private remember(input: Record<string, string>, today: string): string {
    const path = (input["path"] ?? "MEMORY").replace(/\.md$/, "");
    const { text = "", slot, since, until, on, expires } = input;
    if (text.includes("[secret:")) return "Not saved (secret): The line holds a secret.";
    const stone = this.covered(path, text);
    if (stone && !input["again"]) return "Not saved (forgotten): You asked to forget this.";
    if (stone) this.tombstones = this.tombstones.filter((one) => one !== stone);
    const same = this.current(today).find(
      (one) => one.path === path && normalText(one.text) === normalText(text) && one.on === on,
    );
    if (same) return `Already known in ${path}: ${same.text} {${same.id}}`;
    const entry: TestEntry = {
      id: `t${String(++this.count).padStart(7, "0")}`,
      path,
      text,
      added: today,
      ...(slot ? { slot } : {}),
      ...(since ? { since } : {}),
      ...(until ? { until } : {}),
      ...(on ? { on } : {}),
      ...(expires ? { expires } : {}),
    };
    let before = "";
    if (slot) {
      const line = this.entries.filter((one) => one.path === path && one.slot === slot && one.why !== "wrong");
      const open = line.find((one) => this.state(one, today) !== "closed");
      if (line.length > 0) {
        if (open && !open.since && open.added < today) open.since = open.added;
        entry.since ??= today;
        if (open && open.since === entry.since) Object.assign(open, { closed: today, why: "wrong" });
        else if (open) Object.assign(open, { until: entry.since, closed: today, why: "changed" });
        if (open) entry.replaces = open.id;
        if (open) before = ` (before: ${open.text})`;
      }
    }
    this.entries.push(entry);
    return `Saved in ${path}: ${text} {${entry.id}}${before}`;
  }

  private revise(input: Record<string, string>, today: string): string {
    const old = this.byId(input["id"]);
    if (!old) return "Not saved (not-found): No line has this id.";
    const { text, since, why } = input;
    if (!text) {
      if (why === "wrong") Object.assign(old, { closed: today, why });
      else Object.assign(old, { until: since ?? today, closed: today, why: "changed" });
      return `Closed in ${old.path}: ${old.text} {${old.id}}${old.until ? `, ended ${old.until}` : ""}`;
    }
    const entry: TestEntry = {
      id: `t${String(++this.count).padStart(7, "0")}`,
      path: old.path,
      text,
      added: today,
      replaces: old.id,
      ...(old.slot ? { slot: old.slot } : {}),
    };
    if (why === "wrong") {
      Object.assign(old, { closed: today, why });
      const since_ = since ?? old.since;
      Object.assign(entry, since_ ? { since: since_ } : {}, old.on ? { on: old.on } : {});
    } else {
      entry.since = since ?? today;
      Object.assign(old, { until: entry.since, closed: today, why: "changed" });
    }
    this.entries.push(entry);
    return `Changed in ${old.path}: ${text} {${entry.id}} (before: ${old.text})`;
  }

  private forget(input: Record<string, string>, today: string): string {
    let targets: TestEntry[];
    if (input["id"]) targets = this.entries.filter((one) => one.id === input["id"]);
    else {
      const wanted = contentStems(input["query"]!);
      targets = this.current(today).filter((one) => {
        const stems = lineStems(`${plainLinks(one.text)} ${one.path.replace(/[/-]/g, " ")}`);
        return wanted.length > 0 && wanted.every((word) => holds(stems, fold(one.text), word));
      });
      if (targets.length > 1 && !input["all"])
        return ["Several lines fit, nothing was forgotten:", ...targets.map((one) => this.line(one, today))].join("\n");
    }
    if (targets.length === 0) return "Nothing found.";
    for (const target of targets) {
      this.entries = this.entries.filter((one) => one !== target);
      this.tombstones.push({ path: target.path, text: target.text });
    }
    return `Forgotten: ${targets.length} ${targets.length === 1 ? "line" : "lines"}`;
  }
}
