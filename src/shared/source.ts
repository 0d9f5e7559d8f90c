// Owns the reference to where a fact was learned: the values of the key `source` (format, Entry).

/** A parsed source. `message` is the name behind `#` (`m9`), `item` the number in an import. */
export type SourceRef =
  | { kind: "thread"; id: string; message: string | null }
  | { kind: "note"; id: string }
  | { kind: "import"; id: string; item: string | null }
  | { kind: "agent"; name: string }
  | { kind: "dream"; id: string }
  | { kind: "url"; url: string };

/** Characters of a source: one that is longer is no reference but a text that hides in one. */
export const SOURCE_MAX_CHARS = 2048;

// Ids of the app are 8 of a-z0-9; other hands and imports bring longer ones.
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const AGENT_NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._@ -]{0,63}$/u;
const URL_SHAPE = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s\p{Cc}[\]]+$/iu;
// Links that run code when they are clicked have no `//`; this list is for those that some programs accept with one.
const RUNNING_SCHEMES = /^(?:javascript|data|vbscript|blob|file):/i;

/** Reads one value of `source`; null where it is none of the forms of the format. */
export function parseSource(value: string): SourceRef | null {
  const text = value.trim();
  if (text === "" || text.length > SOURCE_MAX_CHARS) return null;
  const slash = text.indexOf("/");
  const kind = text.slice(0, slash);
  const rest = text.slice(slash + 1);
  switch (kind) {
    case "thread":
    case "import": {
      const hash = rest.indexOf("#");
      const id = hash < 0 ? rest : rest.slice(0, hash);
      const part = hash < 0 ? null : rest.slice(hash + 1);
      if (!ID.test(id) || (part !== null && !ID.test(part))) return null;
      return kind === "thread" ? { kind, id, message: part } : { kind, id, item: part };
    }
    case "note":
    case "dream":
      return ID.test(rest) ? { kind, id: rest } : null;
    case "agent":
      return AGENT_NAME.test(rest) ? { kind, name: rest } : null;
  }
  return URL_SHAPE.test(text) && !RUNNING_SCHEMES.test(text) ? { kind: "url", url: text } : null;
}

/** Writes a source as the value of the key. The inverse of `parseSource`. */
export function formatSource(ref: SourceRef): string {
  switch (ref.kind) {
    case "thread":
      return `thread/${ref.id}${ref.message === null ? "" : `#${ref.message}`}`;
    case "import":
      return `import/${ref.id}${ref.item === null ? "" : `#${ref.item}`}`;
    case "agent":
      return `agent/${ref.name}`;
    case "url":
      return ref.url;
    default:
      return `${ref.kind}/${ref.id}`;
  }
}

/** Whether the value is one of the forms of the format. */
export function isSource(value: string): boolean {
  return parseSource(value) !== null;
}

/** One word for the margin: `chat`, `note`, `import`, `dream`, the agent's name, the host of an address; what is none of these says itself, cut short. */
export function sourceWord(value: string): string {
  const ref = parseSource(value);
  if (ref === null) return [...value.trim()].slice(0, 24).join("");
  switch (ref.kind) {
    case "thread":
      return "chat";
    case "agent":
      return ref.name;
    case "url":
      return (
        /^[^:]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/
          .exec(ref.url)?.[1]
          ?.replace(/^www\./i, "")
          .toLowerCase() ?? "link"
      );
    default:
      return ref.kind;
  }
}
