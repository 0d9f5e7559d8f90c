// Which section of one version is which of another (format.md, Three-way rebase, rule 3).

import { HISTORY } from "../document.ts";
import type { SectionNode } from "./nodes.ts";
import type { FileVersion, Item, Section } from "./read.ts";

function isTitle(section: Section | undefined): boolean {
  return section?.heading !== null && section?.heading.level === 1;
}

/** The heading's text and level as one key. */
function headingKey(section: Section): string {
  return section.heading === null ? "" : `${section.heading.level} ${section.heading.text}`;
}

/** Whether a line tells which section it stands in; blank lines and marks of code do not. */
function telling(item: Item): boolean {
  return /[\p{L}\p{N}]/u.test(item.line.text);
}

/** Pairs two versions' sections; the result says for each of `after` which of `before` it is. */
function pairSections(before: FileVersion, after: FileVersion): Map<Section, Section> {
  const pairs = new Map<Section, Section>();
  const taken = new Set<Section>();
  const join = (one: Section, other: Section) => {
    pairs.set(one, other);
    taken.add(other);
  };
  join(after.sections[0] as Section, before.sections[0] as Section);
  const waiting = new Map<string, Section[]>();
  for (const section of before.sections.slice(1)) {
    const list = waiting.get(headingKey(section));
    if (list === undefined) waiting.set(headingKey(section), [section]);
    else list.push(section);
  }
  const votesOf = (section: Section): Map<Section, number> => {
    const votes = new Map<Section, number>();
    for (const entry of section.entries) {
      const other = entry.node?.base;
      if (other && other.section.file === before) votes.set(other.section, (votes.get(other.section) ?? 0) + 1);
    }
    return votes;
  };
  const rest: Section[] = [];
  const same = new Map<string, Section[]>();
  for (const section of after.sections.slice(1)) {
    const list = same.get(headingKey(section));
    if (list === undefined) same.set(headingKey(section), [section]);
    else list.push(section);
  }
  for (const [key, list] of same) {
    const others = waiting.get(key) ?? [];
    // As many of one name as before: they are the same ones. Otherwise what they hold decides first.
    const open =
      list.length === others.length
        ? list
        : list.filter((section) => {
            const best = [...votesOf(section)]
              .filter(([other]) => headingKey(other) === key && !taken.has(other))
              .sort((a, b) => b[1] - a[1])[0];
            if (best !== undefined) join(section, best[0]);
            return best === undefined;
          });
    const free = others.filter((other) => !taken.has(other));
    open.forEach((section, at) => {
      const other = free[at];
      if (other !== undefined) join(section, other);
      else rest.push(section);
    });
  }
  // The same words at another level are the same heading.
  const byWords = new Map<string, Section>();
  for (const section of before.sections)
    if (!taken.has(section) && section.heading !== null) byWords.set(section.heading.text, section);
  for (const section of rest) {
    const other = byWords.get(section.heading?.text ?? "");
    if (other !== undefined && !taken.has(other)) join(section, other);
  }
  renamed(before, rest, pairs, taken, votesOf).forEach(([section, other]) => join(section, other));
  // The title stays the title, whatever it says.
  const [title, old] = [after.sections[1], before.sections[1]];
  if (title && old && isTitle(title) && isTitle(old) && !pairs.has(title) && !taken.has(old)) join(title, old);
  return pairs;
}

/**
 * Headings with other words over the same lines: a line of prose in common, or most of the entries, but more than one,
 * since a single entry may as well have moved. History is never renamed.
 */
function renamed(
  before: FileVersion,
  rest: readonly Section[],
  pairs: ReadonlyMap<Section, Section>,
  taken: ReadonlySet<Section>,
  votesOf: (section: Section) => Map<Section, number>,
): [Section, Section][] {
  const prose = new Map<string, Section>();
  const open = (section: Section) => !taken.has(section) && section.heading !== null && section.heading.text !== HISTORY;
  for (const section of before.sections) {
    if (open(section)) for (const item of section.prose) if (telling(item)) prose.set(item.line.text.trimEnd(), section);
  }
  const found: [Section, Section][] = [];
  const used = new Set<Section>();
  for (const section of rest) {
    if (pairs.has(section) || section.heading?.text === HISTORY) continue;
    const votes = new Map([...votesOf(section)].filter(([other, count]) => count > 1 && count * 2 > other.entries.length));
    for (const item of section.prose) {
      const other = telling(item) ? prose.get(item.line.text.trimEnd()) : undefined;
      if (other !== undefined) votes.set(other, (votes.get(other) ?? 0) + 1);
    }
    const best = [...votes].filter(([other]) => open(other) && !used.has(other)).sort((a, b) => b[1] - a[1])[0];
    if (best === undefined) continue;
    used.add(best[0]);
    found.push([section, best[0]]);
  }
  return found;
}

/** The sections of one file in all its versions. Entries must have been matched before. */
export function matchSections(
  path: string,
  versions: { base: FileVersion | null; mine: FileVersion | null; theirs: FileVersion | null },
): SectionNode[] {
  const nodes: SectionNode[] = [];
  const add = (parts: Partial<Pick<SectionNode, "base" | "mine" | "theirs">>): SectionNode => {
    const node: SectionNode = { kind: "section", path, base: null, mine: null, theirs: null, made: false, ...parts };
    for (const section of [node.base, node.mine, node.theirs]) if (section !== null) section.node = node;
    nodes.push(node);
    return node;
  };
  for (const section of versions.base?.sections ?? []) add({ base: section });
  for (const side of ["theirs", "mine"] as const) {
    const version = versions[side];
    if (version === null) continue;
    const pairs = versions.base === null ? new Map<Section, Section>() : pairSections(versions.base, version);
    for (const section of version.sections) {
      const node = pairs.get(section)?.node;
      if (node) {
        node[side] = section;
        section.node = node;
      }
    }
    if (side === "theirs") for (const section of version.sections) if (section.node === null) add({ theirs: section });
  }
  if (versions.mine === null) return nodes;
  const places = versions.theirs === null ? new Map<string, Section[]>() : newByPlace(versions.theirs);
  for (const [place, list] of newByPlace(versions.mine)) {
    const others = places.get(place) ?? [];
    list.forEach((section, at) => {
      const node = others[at]?.node;
      if (node) {
        node.mine = section;
        section.node = node;
      } else {
        add({ mine: section });
      }
    });
  }
  return nodes;
}

/** New sections of a version by the place where they were put and their heading. History has one place in a file. */
function newByPlace(version: FileVersion): Map<string, Section[]> {
  const found = new Map<string, Section[]>();
  let place = -1;
  for (const section of version.sections) {
    const old = section.node?.base;
    if (old) {
      place = old.at;
      continue;
    }
    const title = section.at === 1 && isTitle(section) && place <= 0;
    const history = section.heading?.text === HISTORY;
    const key = section.heading === null ? "top" : title ? "title" : history ? HISTORY : `${place} ${headingKey(section)}`;
    const list = found.get(key);
    if (list === undefined) found.set(key, [section]);
    else list.push(section);
  }
  return found;
}
