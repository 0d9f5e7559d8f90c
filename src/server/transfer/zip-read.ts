// Reads a zip as it streams in, within bounds: entries, bytes, and how much more comes out than goes in. Holds a few kilobytes at a time.
import { Inflate, Unzip, type UnzipDecoder, type UnzipFile } from "fflate";
import { AppError } from "../../shared/errors.ts";
import {
  IMPORT_INFLATED_MAX_BYTES,
  IMPORT_MAX_RATIO,
  IMPORT_ZIP_MAX_BYTES,
  IMPORT_ZIP_MAX_ENTRIES,
} from "../../shared/limits.ts";

/** What becomes of one entry's bytes. */
export interface EntrySink {
  chunk(bytes: Uint8Array): void;
  end(): void;
}

/** Decides about each entry as it comes; null leaves it out without unpacking it. */
export type OpenEntry = (name: string, n: number) => EntrySink | null;

/** Bytes handed on at once: deflate makes at most some thousand out of one, so no step makes more than a few megabytes. */
const STEP_BYTES = 4 * 1024;
/** Output from which the ratio counts: up to here an honest note may say one thing over and over. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;
/** Where the end record of a zip can begin, counted from its end. */
const END_BYTES = 22 + 65_535;

const broken = (why: string, cause?: unknown): AppError =>
  new AppError("bad-format", `This archive cannot be read: ${why}. Make it again, or download it again.`, {}, { cause });
const bomb = (): AppError =>
  new AppError("too-large", "This archive unpacks to far more than an export does. It was not read to its end.");

class Skipping implements UnzipDecoder {
  ondata: UnzipDecoder["ondata"] = () => undefined;
  push(_: Uint8Array, final: boolean): void {
    this.ondata(null, new Uint8Array(0), final);
  }
}

class Inflating implements UnzipDecoder {
  ondata: UnzipDecoder["ondata"] = () => undefined;
  readonly #inflate = new Inflate((data, final) => this.ondata(null, data, final ?? false));
  #in = 0;
  #out = 0;
  push(data: Uint8Array, final: boolean): void {
    this.#in += data.byteLength;
    const told = this.ondata;
    this.ondata = (error, chunk, last) => {
      this.#out += chunk?.byteLength ?? 0;
      if (this.#out > RATIO_FROM_BYTES && this.#out > this.#in * IMPORT_MAX_RATIO) throw bomb();
      told(error, chunk, last);
    };
    this.#inflate.push(data, final);
    this.ondata = told;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The name of an entry. Many programs write UTF-8 and do not say so; it was read byte by byte then. */
function nameOf(name: string): string {
  if (!/[\u0080-\u00ff]/.test(name) || /[^\u0000-\u00ff]/.test(name)) return name;
  try {
    return utf8.decode(Uint8Array.from(name, (char) => char.charCodeAt(0)));
  } catch {
    return name;
  }
}

/** How many entries the directory at the end of an archive lists; null where there is none, because the archive is cut off. */
function entriesListed(tail: Uint8Array): number | null {
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail[at + 1] !== 0x4b || tail[at + 2] !== 5 || tail[at + 3] !== 6) continue;
    return tail[at + 10]! | (tail[at + 11]! << 8);
  }
  return null;
}

/** Work between two breaths, in bytes that came in and out: some ten milliseconds, so that other requests are answered meanwhile. */
const BREATH_BYTES = 64 * 1024;

/**
 * Reads an archive, with a `pause` now and then. Throws AppError("bad-format") for one that is cut off or damaged, AppError("too-large") past a limit; what the sinks were
 * told until then is the caller's to throw away. `seen` hears of each chunk.
 */
export async function readZip(
  body: AsyncIterable<Uint8Array>,
  openEntry: OpenEntry,
  pause: () => Promise<void>,
  seen: (bytes: Uint8Array) => void = () => undefined,
): Promise<void> {
  let entries = 0;
  let ended = 0;
  let inflated = 0;
  let skips = false;
  const unzip = new Unzip((file: UnzipFile) => {
    entries++;
    if (entries > IMPORT_ZIP_MAX_ENTRIES)
      throw new AppError(
        "too-large",
        `An archive has at most ${IMPORT_ZIP_MAX_ENTRIES.toLocaleString("en")} files. Bring it in parts.`,
      );
    const sink = openEntry(nameOf(file.name), entries);
    skips = sink === null;
    let size = 0;
    file.ondata = (error, chunk, final) => {
      if (error) throw broken(`“${file.name.slice(0, 100)}” is damaged`, error);
      size += chunk.byteLength;
      inflated += chunk.byteLength;
      if (inflated > IMPORT_INFLATED_MAX_BYTES) throw bomb();
      if (chunk.byteLength > 0) sink?.chunk(chunk);
      if (!final) return;
      if (sink && file.originalSize !== undefined && file.originalSize !== size)
        throw broken(`“${file.name.slice(0, 100)}” is not as long as it says`);
      ended++;
      sink?.end();
    };
    if (file.compression !== 0 && file.compression !== 8)
      throw broken(`“${file.name.slice(0, 100)}” is packed in a way that is not known here`);
    file.start();
  });
  // One class for both: whether an entry is wanted was decided just before its decoder is made.
  const decoder = function decoder() {
    return skips ? new Skipping() : new Inflating();
  } as unknown as { new (): UnzipDecoder; compression: number };
  decoder.compression = 8;
  unzip.register(decoder);

  let work = 0;
  let counted = 0;
  let bytes = 0;
  let tail = new Uint8Array(0);
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > IMPORT_ZIP_MAX_BYTES)
        throw new AppError("too-large", `An archive has at most ${IMPORT_ZIP_MAX_BYTES / 1024 / 1024} MB. Bring it in parts.`);
      seen(chunk);
      const joined = new Uint8Array(Math.min(END_BYTES, tail.byteLength + chunk.byteLength));
      joined.set(
        chunk.subarray(Math.max(0, chunk.byteLength - END_BYTES)),
        joined.byteLength - Math.min(chunk.byteLength, END_BYTES),
      );
      const kept = joined.byteLength - Math.min(chunk.byteLength, END_BYTES);
      if (kept > 0) joined.set(tail.subarray(tail.byteLength - kept));
      tail = joined;
      for (let at = 0; at < chunk.byteLength; at += STEP_BYTES) {
        unzip.push(chunk.subarray(at, at + STEP_BYTES), false);
        work += STEP_BYTES + inflated - counted;
        counted = inflated;
        if (work < BREATH_BYTES) continue;
        work = 0;
        await pause();
      }
    }
    unzip.push(new Uint8Array(0), true);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw broken("it is damaged or cut off", error);
  }
  if (bytes === 0) throw broken("it is empty");
  const listed = entriesListed(tail);
  if (listed === null) throw broken(entries === 0 ? "it is no zip" : "its end is missing");
  if (ended !== entries || (listed !== 0xffff && listed !== entries)) throw broken("not all that it lists is there");
}
