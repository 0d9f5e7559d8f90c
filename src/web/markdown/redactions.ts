// Where a fact was forgotten, messages and notes hold a mark in its place. On the screen it is the hatched strip, never the mark.
import type { Element, ElementContent, Root, RootContent } from "hast";

/** The mark that the memory leaves in a text. */
export const MARK = "[forgotten]";

const strip = (): Element => ({
  type: "element",
  tagName: "span",
  properties: {},
  children: [
    {
      type: "element",
      tagName: "span",
      properties: { className: ["sr"] },
      children: [{ type: "text", value: "a part that you asked to forget" }],
    },
    { type: "element", tagName: "span", properties: { className: ["redact", "inline"], ariaHidden: "true" }, children: [] },
  ],
});

function walk(parent: { children: (RootContent | ElementContent)[] }): void {
  for (let at = 0; at < parent.children.length; at += 1) {
    const child = parent.children[at];
    if (child?.type === "text" && child.value.includes(MARK)) {
      const parts = child.value
        .split(MARK)
        .flatMap((value, index): ElementContent[] => [
          ...(index > 0 ? [strip()] : []),
          ...(value === "" ? [] : [{ type: "text" as const, value }]),
        ]);
      parent.children.splice(at, 1, ...parts);
      at += parts.length - 1;
    } else if (child?.type === "element") walk(child);
  }
}

/** A rehype plugin; it runs after the sanitiser, which would take the strip away. */
export function redactions() {
  return (tree: Root): void => walk(tree);
}
