// `npm run proof [-- <words of a title>]`: runs the measurements behind each claim, each once, and writes docs/proof.md from what they print.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const PAGE = "docs/proof.md";

/**
 * A claim. `run`: what follows `npm`. `from`: the first line of the block that is shown, up to the next empty line; `lines`: single lines instead.
 * @type {{ title: string, says: string, beside: string, run: string[], from?: RegExp, lines?: RegExp }[]}
 */
const CLAIMS = [
  {
    title: "Facts that change",
    says: "Facts are told, told anew, told late and taken back, under varying names of the same attribute, through the HTTP API. Then one question is asked about each. No prompt holds an old value as true, every one holds the present value, and every one says what was before.",
    beside:
      "An append-only store (every line is kept, the best six are shown) and a store that overwrites by name, on the same events and questions.",
    run: ["run", "bench", "--", "facts.bench", "-t", "24 facts"],
    from: /^\d+ facts, \d+ changes/,
  },
  {
    title: "Forgotten facts, said again",
    says: "Facts are forgotten and then said again by a model: in the same words, in another case, in other words. The gate refuses them. The last column should be low: those texts are about another person, number, day or value.",
    beside:
      "Deleting the line, and lists of what may not be said, exact and normalised. Both lists would also hold, in clear, what was to be forgotten; a tombstone holds a keyed fingerprint.",
    run: ["run", "bench", "--", "forgetting.bench"],
    from: /^\d+ facts, forgotten and said again/,
  },
  {
    title: "The deletion protocol",
    says: "One fact is said, used, forgotten, looked for on every way (API, search, history, prompts, a fresh clone), said again by the assistant and by a dream, reverted and merged back from an old clone, and then erased; after that every byte of the database files and every object of a clone is searched. The numbers are the receipts of forgetting and of erasing: where it stood, and where it stands.",
    beside: "Deleting the line from its file would change the first row alone.",
    run: ["test", "--", "test/e2e/forget.test.ts"],
    lines: / → \d|\d+ passed, \d+ failed/,
  },
  {
    title: "A dream and a chat in the same file",
    says: "A dream works on MEMORY.md, rewording, joining, moving and closing lines, while the chat saves one line there. Laid on one another entry by entry, nothing is lost; what both changed is given back to the dream, and only that.",
    beside:
      "The dream overwrites the file; a changed file refuses the dream; the lines are merged with diff3 and a clash refuses the dream.",
    run: ["run", "bench", "--", "rebase.bench"],
    from: /random histories/,
  },
  {
    title: "A hostile dreamer",
    says: "Scripted models that delete all, cut off their answers, never finish, invent ids, rewrite sources, bring back what was forgotten, touch pinned lines, drop numbers and names, call a hundred tools at once, or break their JSON. Each is dreamed with until its inbox is empty: every fact that the user typed stands, no tombstone is crossed, the cost keeps its bound.",
    beside: "No alternative was run: without the gate there is nothing that would refuse them.",
    run: ["test", "--", "dream/hostile"],
    lines: /^(?!.*[✓×|]).*(?:behaviours|facts lost).*\d|\d+ passed, \d+ failed/i,
  },
  {
    title: "Faults of the storage, while saving",
    says: "Storage fails at the first statement, then at the second, and so on through the whole operation. Each time the caller is told that nothing was saved, and nothing was.",
    beside: "The same statements without the one transaction around them.",
    run: ["run", "bench", "--", "faults.bench"],
    from: /^Faults at every statement/,
  },
  {
    title: "Faults of the storage, everywhere else",
    says: "The same sweep through reverts, merges, file edits, deletions, forgetting, each slice of an erase, and the git store itself; once, and from there on.",
    beside: "See above.",
    run: [
      "test",
      "--",
      "test/worker/memory/faults.test.ts",
      "test/worker/git/faults.test.ts",
      "test/worker/forget/erase.test.ts",
      "test/worker/forget/places.test.ts",
    ],
    lines: /^(?!.*[✓×]).*\b[1-9]\d* faults|faults: [1-9]|\d+ passed, \d+ failed/,
  },
  {
    title: "A killed process",
    says: "The process is killed at random moments while several writers save. Every save that was acknowledged is there after the restart.",
    beside: "No alternative was run.",
    run: ["test", "--", "test/e2e/kill.test.ts"],
    lines: /^(?!.*[✓×]).*\b(?:kills?|acknowledged|lost)\b.*\d|\d+ passed, \d+ failed/,
  },
  {
    title: "Recall",
    says: "Labelled questions over invented conversations that ship with the repository: how often the message that answers is among the first six.",
    beside: "BM25 over the same index, and messages that hold all words of the question.",
    run: ["run", "bench", "--", "turn.bench", "-t", "recall@6"],
    from: /^Recall over/,
  },
  {
    title: "Tokens of a conversation, by the size of the memory",
    says: "A conversation of ten turns over memories of three sizes. What the memory adds to its prompts stays the same.",
    beside: "The whole memory in every prompt of the same conversation.",
    run: ["run", "bench", "--", "tokens.bench"],
    from: /^Tokens of memory in the prompts/,
  },
  {
    title: "Tokens of a dream, by the size of the memory",
    says: "The same inbox of twenty messages is dreamed over in memories of three sizes.",
    beside: "A dreamer that is given the whole memory reads what the table above says for one prompt, in each of its calls.",
    run: ["run", "bench", "--", "dream.bench", "-t", "prompt tokens"],
    lines: /entries: \d+ tokens|entries cost .* times the tokens/,
  },
];

/** The lines to show; null where there are none. */
function shown({ from, lines }, output) {
  const all = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  if (lines) {
    // A stack would bring paths of this machine onto the page.
    const kept = all.filter((line) => lines.test(line) && !/^\s*at /.test(line)).map((line) => line.trim());
    return kept.length === 0 ? null : kept.join("\n");
  }
  const start = all.findIndex((line) => from.test(line));
  if (start < 0) return null;
  const end = all.findIndex((line, at) => at > start && (line === "" || /^ *(?:[✓×❯]|Test Files)|^std(?:out|err) \|/.test(line)));
  return all.slice(start, end < 0 ? undefined : end).join("\n");
}

/** `npm run bench -- facts.bench -t "24 facts"`, as it is typed. */
const typed = (args) => ["npm", ...args].map((word) => (/[^\w./:-]/.test(word) ? `"${word}"` : word)).join(" ");

const sectionOf = ({ title, says, beside, run }, text) =>
  `## ${title}\n\n${says}\n\n*Beside it:* ${beside}\n\n\`${typed(run)}\`, on ${new Date().toISOString().slice(0, 10)}:\n\n\`\`\`\n${text}\n\`\`\``;

/** The sections of the page as it stands, by title: those that are not run again stay. */
function readSections() {
  const text = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf("\n")), `## ${part.trim()}`]),
  );
}

function page(sections) {
  return [
    "# Proof",
    "Each claim with the command that checks it and what that command printed, beside the simplest alternative on the same input in the same run. `npm run proof` runs them all and writes this page; `npm run proof -- recall` runs the claims with that word in their title and leaves the others as they were. The numbers here are counts, which do not depend on the machine; times stand in performance.md.",
    "What a real model makes of all this is asked with `npm run eval` (eval.md), which needs a key and therefore has no numbers here.",
    ...CLAIMS.flatMap(({ title }) => sections.get(title) ?? []),
    "",
  ].join("\n\n");
}

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const wanted = CLAIMS.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
const failed = [];
for (const claim of wanted) {
  console.log(`\n— ${claim.title}: ${typed(claim.run)}`);
  const { status, stdout, stderr } = spawnSync("npm", claim.run, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const text = shown(claim, `${stdout}\n${stderr}`);
  // Read now: another run may have written its claims meanwhile.
  const sections = readSections();
  if (status !== 0 || text === null) {
    failed.push(claim.title);
    sections.delete(claim.title);
    console.log(status === 0 ? "It printed no line of the kind that is shown." : `${stdout.slice(-3000)}${stderr.slice(-1000)}`);
  } else {
    sections.set(claim.title, sectionOf(claim, text));
    console.log(text);
  }
  writeFileSync(PAGE, page(sections));
}
console.log(
  failed.length === 0
    ? `\n${PAGE} is written: ${wanted.length} claims, each seen.`
    : `\nNot seen, and therefore not on the page: ${failed.join(", ")}.`,
);
process.exit(failed.length === 0 && wanted.length > 0 ? 0 : 1);
