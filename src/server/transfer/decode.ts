// Bytes of somebody's notes as text, whatever program wrote them: UTF-8, UTF-16 with or without its mark, else Latin-1.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Bytes that are looked at to tell UTF-16 without a mark. */
const LOOK_BYTES = 4096;

/** Whether every other byte is zero, as in UTF-16 of European words: "le" or "be", else null. */
function zeroed(bytes: Uint8Array): "le" | "be" | null {
  const length = Math.min(bytes.byteLength, LOOK_BYTES) & ~1;
  if (length < 4) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const many = length / 2 / 3;
  if (odd > many && even < odd / 8) return "le";
  return even > many && odd < even / 8 ? "be" : null;
}

/** What Windows put between 0x80 and 0x9f, where Latin-1 has control characters; runtimes differ in which of both they read. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function decodeWindows(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes).replace(/[\u0080-\u009f]/g, (char) => WINDOWS[char.charCodeAt(0) - 0x80]!);
}

/** The text; null where the bytes are none (they hold NUL bytes in no order). */
export function decodeText(bytes: Uint8Array): string | null {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const wide = zeroed(bytes);
  if (wide) return new TextDecoder(`utf-16${wide}`).decode(bytes);
  if (bytes.subarray(0, LOOK_BYTES).includes(0)) return null;
  try {
    return strict.decode(bytes);
  } catch {
    return decodeWindows(bytes);
  }
}
