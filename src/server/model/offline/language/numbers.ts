// Numbers in English words, as far as people use them for days, ages and counts.

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const VALUES = new Map<string, number>(UNITS.map((word, value) => [word, value]));
TENS.forEach((word, i) => {
  VALUES.set(word, (i + 2) * 10);
  for (let unit = 1; unit < 10; unit++) VALUES.set(`${word}-${UNITS[unit]}`, (i + 2) * 10 + unit);
});
for (const [word, value] of [
  ["a", 1],
  ["an", 1],
  ["a couple of", 2],
  ["couple of", 2],
  ["a few", 3],
  ["both", 2],
] as const)
  VALUES.set(word, value);

/** Source of a pattern that matches a number in figures or words. */
export const NUMBER = `(?:\\d{1,4}|a couple of|a few|(?:${TENS.join("|")})(?:[- ](?:${UNITS.slice(1, 10).join("|")}))?|${[...UNITS].reverse().join("|")}|an?)`;

/** Value of a number in figures or words, or null. */
export function numberOf(words: string): number | null {
  const plain = words.toLowerCase().trim().replace(/\s+/g, " ");
  if (/^\d+$/.test(plain)) return Number(plain);
  return VALUES.get(plain) ?? VALUES.get(plain.replace(" ", "-")) ?? null;
}

/** "two", for small numbers; figures from ten on (the voice of the product). */
export const sayNumber = (n: number): string => (n >= 0 && n < 10 ? (UNITS[n] as string) : String(n));

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
/** 1 for "first" … 10, or null. */
export function ordinalOf(word: string): number | null {
  const at = ORDINALS.indexOf(word.toLowerCase());
  if (at >= 0) return at + 1;
  const figures = /^(\d{1,2})(?:st|nd|rd|th)$/i.exec(word);
  return figures ? Number(figures[1]) : null;
}
