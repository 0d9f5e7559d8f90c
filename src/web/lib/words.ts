// Numbers, money and sizes as the app says them: words below ten in prose, figures in the margin, "unknown" instead of a silent 0.

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const NUMBER = new Intl.NumberFormat("en-GB");

/** A whole number in prose: `three`, `12`. */
export function inWords(n: number): string {
  return SMALL[n] ?? NUMBER.format(n);
}

/** A number of things in prose: `three lines`, `one line`, `no lines`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${inWords(n)} ${n === 1 ? one : many}`;
}

/** A number of things in the margin: `3 lines`. */
export function figures(n: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(n)} ${n === 1 ? one : many}`;
}

/** A number with its thousands apart. */
export function grouped(n: number): string {
  return NUMBER.format(n);
}

/** With a capital, to begin a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** US dollars: cents for sums, more places the smaller a call is. Null is a word. */
export function dollars(usd: number | null, digits?: number): string {
  if (usd === null) return "unknown";
  const places = digits ?? (usd === 0 || usd >= 0.1 ? 2 : usd >= 0.0001 ? 4 : 6);
  return `$${usd.toFixed(places)}`;
}

/** A sum of US dollars in cents; one that is less than a cent, but not nothing, is shown as exactly as it is. */
export function sumOf(usd: number): string {
  return dollars(usd, usd > 0 && usd < 0.01 ? 4 : 2);
}

/** Milliseconds as `0.4 s`, `2.1 s`, `41 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** Bytes as `4.2 KB`, counted in 1,024 as the limits are. */
export function bytes(n: number): string {
  const short = (value: number) => value.toFixed(1).replace(/\.0$/, "");
  if (n < 1024) return `${n} bytes`;
  return n < 1024 ** 2 ? `${short(n / 1024)} KB` : `${short(n / 1024 ** 2)} MB`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

/** `3 lines added, 2 lines joined` as a title says it: `Three lines added, two joined`. */
export function inProse(summary: string): string {
  let first = true;
  const text = summary.replace(/\b(\d+) (lines?|changes?) /g, (_, n: string, lines: string) => {
    const word = inWords(Number(n));
    const whole = first ? `${word} ${lines} ` : `${word} `;
    first = false;
    return whole;
  });
  return sentence(text);
}
