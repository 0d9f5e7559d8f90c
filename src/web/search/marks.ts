// Which words of a hit to mark where the server names none: those that begin as a word of the query does. Pure.

/** Characters that two words must share from their beginning; a shorter word of the query must stand whole. */
const STEM_MIN_CHARS = 4;

/** Compared without case and diacritics, letter for letter: the result has the length of the text, or is null. */
function folded(text: string): string | null {
  const plain = [...text]
    .map((letter) => {
      const bare = letter
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase();
      return bare.length === letter.length ? bare : letter;
    })
    .join("");
  return plain.length === text.length ? plain : null;
}

/** Ranges of a text that answer to a query, in order, none over another. */
export function marksFor(text: string, query: string): [number, number][] {
  const small = folded(text);
  const wanted = (folded(query) ?? query.toLowerCase()).match(/[\p{L}\p{N}]+/gu) ?? [];
  if (small === null || wanted.length === 0) return [];
  const found: [number, number][] = [];
  for (const match of small.matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = match[0];
    const at = match.index;
    for (const one of wanted) {
      const stem = one.length > STEM_MIN_CHARS ? one.slice(0, Math.max(STEM_MIN_CHARS, one.length - 2)) : one;
      const starts = one.length >= STEM_MIN_CHARS ? word.startsWith(stem) : word === one;
      // Scripts without spaces write several words as one.
      const inside = starts ? 0 : /^[\p{ASCII}\p{Script=Latin}]*$/u.test(one) ? -1 : word.indexOf(one);
      if (!starts && inside < 0) continue;
      found.push(starts ? [at, at + word.length] : [at + inside, at + inside + one.length]);
      break;
    }
  }
  return found;
}
