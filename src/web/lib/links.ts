// Where a link leads, as format.md, section Links, resolves it. Pure.

/** The file that a link names, or null where it is broken. */
export function resolveLink(link: string, files: readonly string[]): string | null {
  const name = link.trim().normalize("NFC");
  if (name === "") return null;
  if (files.includes(name)) return name;
  if (files.includes(`${name}.md`)) return `${name}.md`;
  const ends = files.filter((file) => file.endsWith(`/${name}`) || file.endsWith(`/${name}.md`));
  if (ends.length === 1) return ends[0] as string;
  const leaf = name.slice(name.lastIndexOf("/") + 1).replace(/\.md$/i, "").toLowerCase();
  const bases = files.filter((file) => file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/i, "").toLowerCase() === leaf);
  return bases.length === 1 ? (bases[0] as string) : null;
}
