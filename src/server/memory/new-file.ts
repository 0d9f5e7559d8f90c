// What a file that the app makes is called inside: a title out of its name.
import { baseName } from "../../shared/document.ts";

/** The title of a new file: its name in words, each with a capital where it names somebody or something. */
export function newDocumentTitle(path: string): string {
  if (path === "MEMORY.md") return "Memory";
  const words = baseName(path).replace(/[-_]+/g, " ").trim();
  const capital = (word: string) => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  if (/^(?:people|places|projects)\//.test(path)) return words.split(" ").map(capital).join(" ");
  return capital(words);
}
