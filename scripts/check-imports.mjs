// Checks the import law of the design: which room may know which. Prints each breach as `file:line  what  why`.
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** Packages without a clock, a network or a platform, which `shared` may use. */
const PURE_PACKAGES = new Set(["zod", "zod/mini", "node-diff3", "diff", "stemmer", "tokenx", "chrono-node"]);

/** Rooms, longest prefix first, and the rooms that each may import besides itself. */
const LAW = {
  "src/shared/": [],
  "src/server/git/": ["src/shared/", "src/server/body.ts"],
  "src/server/model/": ["src/shared/"],
  "src/server/memory/agent.ts": ["src/"],
  "src/server/chat/agent.ts": ["src/"],
  "src/server/memory/": ["src/shared/", "src/server/git/", "src/server/model/types.ts", "src/server/env.ts", "src/server/log.ts"],
  "src/server/dream/": ["src/shared/", "src/server/model/types.ts", "src/server/env.ts", "src/server/log.ts"],
  "src/server/chat/": [
    "src/server/log.ts",
    "src/shared/",
    "src/server/model/types.ts",
    "src/server/env.ts",
    "src/server/git/sql.ts",
    "src/server/git/scrub.ts",
  ],
  "src/server/http/": ["src/shared/", "src/server/", "docs/skill/"],
  "src/server/": ["src/shared/", "src/server/"],
  "src/web/": ["src/shared/"],
};
/** `git` and `model` know nothing of memories: only these files of `shared`. */
const NEUTRAL_SHARED = [
  "src/shared/errors.ts",
  "src/shared/limits.ts",
  "src/shared/protocol",
  "src/shared/paths.ts",
  "src/shared/zone.ts",
  "src/shared/words.ts",
];

/** The breaches in one file. @param {string} file @param {string} text @returns {string[]} */
export function breaches(file, text) {
  const found = [];
  const room = Object.keys(LAW)
    .sort((a, b) => b.length - a.length)
    .find((prefix) => file.startsWith(prefix));
  if (!room || /\.test\.tsx?$/.test(file)) return found;
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|(?:^|\n)import\s*["']([^"']+)["']/g;
  for (const match of text.matchAll(pattern)) {
    const target = match[1] ?? match[2] ?? match[3];
    const line = text.slice(0, match.index + match[0].indexOf(target)).split("\n").length;
    if (!target.startsWith(".")) {
      if (room === "src/shared/" && !PURE_PACKAGES.has(target))
        found.push(`${file}:${line}  ${target}  shared takes pure libraries only`);
      continue;
    }
    const path = normalize(join(dirname(file), target)).replaceAll("\\", "/");
    const own = path.startsWith(room.endsWith("/") ? room : "src/");
    if (!own && !LAW[room].some((prefix) => path.startsWith(prefix)))
      found.push(`${file}:${line}  ${path}  ${room} must not know it`);
    if (room === "src/server/git/" && path.startsWith("src/shared/") && !NEUTRAL_SHARED.some((prefix) => path.startsWith(prefix)))
      found.push(`${file}:${line}  ${path}  git knows nothing of memories`);
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "src"], { encoding: "utf8" })
    .split("\n")
    .filter((f) => /\.tsx?$/.test(f));
  const all = files.flatMap((file) => breaches(file, readFileSync(file, "utf8")));
  for (const breach of all) console.log(breach);
  console.log(all.length === 0 ? `Import law: ${files.length} files, no breach.` : `Import law: ${all.length} breaches.`);
  process.exit(all.length === 0 ? 0 : 1);
}
