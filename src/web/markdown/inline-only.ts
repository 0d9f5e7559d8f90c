// A parser extension for a line of memory: inline marks are read, block marks are text. A line is one sentence, whatever it begins with.
interface ParserData {
  micromarkExtensions?: { disable: { null: string[] } }[];
}

const BLOCKS = [
  "headingAtx",
  "setextUnderline",
  "list",
  "blockQuote",
  "codeFenced",
  "codeIndented",
  "thematicBreak",
  "htmlFlow",
  "htmlText",
  "definition",
  "table",
];

/** A remark plugin that turns all block constructs off. */
export function inlineOnly(this: { data: () => unknown }): void {
  const data = this.data() as ParserData;
  (data.micromarkExtensions ??= []).push({ disable: { null: BLOCKS } });
}

/** A remark plugin that turns raw HTML off: it is shown as the text that it is. */
export function noHtml(this: { data: () => unknown }): void {
  const data = this.data() as ParserData;
  (data.micromarkExtensions ??= []).push({ disable: { null: ["htmlFlow", "htmlText"] } });
}
