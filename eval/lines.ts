// A file that only grows, one JSON value a line: what was done survives any stop.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export interface Lines<T> {
  /** All values, those of earlier runs first. */
  readonly values: readonly T[];
  add(value: T): void;
}

/** Opens a file of lines. A last line that a stop cut off is left out, and the next begins behind it. */
export function openLines<T>(file: string): Lines<T> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const values = text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as T];
    } catch {
      return [];
    }
  });
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  return {
    values,
    add(value) {
      appendFileSync(file, `${JSON.stringify(value)}\n`);
      values.push(value);
    },
  };
}
