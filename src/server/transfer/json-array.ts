// The elements of a JSON list, one by one as its text streams in: an export of 50 MB is never held whole.

/** Feeds a list in pieces; each element at its top comes out as text. An object instead of a list is one element. */
export class JsonElements {
  readonly #tell: (element: string | null) => void;
  readonly #maxChars: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #list: boolean | null = null;
  #parts: string[] = [];
  #held = 0;
  /** An element that is too long is passed over to its end. */
  #dropping = false;
  #ended = false;

  /** `tell` hears each element, null for one of more than `maxChars` characters. */
  constructor(maxChars: number, tell: (element: string | null) => void) {
    this.#maxChars = maxChars;
    this.#tell = tell;
  }

  /** Whether the list was closed. */
  get whole(): boolean {
    return this.#ended;
  }

  push(text: string): void {
    let from = -1;
    const base = (): number => (this.#list ? 1 : 0);
    if (this.#depth > base() || this.#inString) from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === 92) this.#escaped = true;
        else if (code === 34) this.#inString = false;
        continue;
      }
      if (code === 34) {
        this.#inString = true;
        if (from < 0 && this.#depth === base()) from = at;
      } else if (code === 123 || code === 91) {
        if (this.#list === null) {
          this.#list = code === 91;
          if (code === 91) {
            this.#depth = 1;
            continue;
          }
        }
        if (this.#depth === base()) from = at;
        this.#depth++;
      } else if (code === 125 || code === 93) {
        this.#depth--;
        if (this.#list && this.#depth === 0) {
          this.#ended = true;
          from = -1;
        } else if (this.#depth === base() && from >= 0) {
          this.#keep(text.slice(from, at + 1));
          this.#flush();
          from = -1;
          if (!this.#list) this.#ended = true;
        }
      }
    }
    if (from >= 0) this.#keep(text.slice(from));
  }

  #keep(part: string): void {
    this.#held += part.length;
    if (this.#held > this.#maxChars) {
      this.#dropping = true;
      this.#parts = [];
    } else this.#parts.push(part);
  }

  #flush(): void {
    const element = this.#dropping ? null : this.#parts.join("");
    this.#parts = [];
    this.#held = 0;
    this.#dropping = false;
    this.#tell(element);
  }
}
