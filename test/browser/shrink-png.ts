// Makes a screenshot small: at most 256 colours by median cut, one byte a pixel, deflated as hard as it goes. Knows only what Chromium writes.
import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;

interface Picture {
  width: number;
  height: number;
  /** 0xRRGGBB of each pixel. */
  pixels: Uint32Array;
}

/** Adler and CRC are zlib's business, but a chunk's CRC is ours. */
function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc(body), body.length + 4);
  return whole;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Reads an 8-bit RGB or RGBA picture without interlacing. */
function readPng(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error("This is no PNG.");
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = data[9] === 6 ? 4 : data[9] === 2 ? 3 : 0;
      if (data[8] !== 8 || channels === 0 || data[12] !== 0) throw new Error("This PNG is of another kind than screenshots are.");
    } else if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const pixels = new Uint32Array(width * height);
  let before = new Uint8Array(row);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)];
    const line = Uint8Array.from(raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)));
    for (let x = 0; x < row; x += 1) {
      const a = x >= channels ? line[x - channels]! : 0;
      const b = before[x]!;
      const c = x >= channels ? before[x - channels]! : 0;
      const add = filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : filter === 4 ? paeth(a, b, c) : 0;
      line[x] = (line[x]! + add) & 255;
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * channels;
      pixels[y * width + x] = (line[at]! << 16) | (line[at + 1]! << 8) | line[at + 2]!;
    }
    before = line;
  }
  return { width, height, pixels };
}

type Counted = [colour: number, times: number];

/** Median cut: the box with the widest spread is halved by its pixels, until there are as many boxes as colours may be. */
function palette(pixels: Uint32Array): { colours: number[]; of: Map<number, number> } {
  const times = new Map<number, number>();
  for (const pixel of pixels) times.set(pixel, (times.get(pixel) ?? 0) + 1);
  const shifts = [16, 8, 0] as const;
  const spread = (box: Counted[]) =>
    shifts
      .map((shift) => {
        let [low, high] = [255, 0];
        for (const [colour] of box) {
          const part = (colour >> shift) & 255;
          if (part < low) low = part;
          if (part > high) high = part;
        }
        return { shift, width: high - low };
      })
      .reduce((left, right) => (right.width > left.width ? right : left));
  const boxes = [{ box: [...times] as Counted[], ...spread([...times]) }];
  while (boxes.length < COLOURS_MAX) {
    const widest = boxes.reduce((left, right) => (right.width > left.width ? right : left));
    if (widest.width === 0) break;
    const sorted = widest.box.sort((a, b) => ((a[0] >> widest.shift) & 255) - ((b[0] >> widest.shift) & 255));
    // By the root of how often a colour stands: paper must not swallow every box.
    const weigh = ([, n]: Counted) => Math.sqrt(n);
    const half = sorted.reduce((sum, one) => sum + weigh(one), 0) / 2;
    let [at, sum] = [0, 0];
    while (at < sorted.length - 1 && sum < half) sum += weigh(sorted[at++]!);
    const cut = Math.min(Math.max(1, at), sorted.length - 1);
    boxes.splice(boxes.indexOf(widest), 1, ...[sorted.slice(0, cut), sorted.slice(cut)].map((box) => ({ box, ...spread(box) })));
  }
  const of = new Map<number, number>();
  const colours = boxes.map(({ box }, index) => {
    for (const [colour] of box) of.set(colour, index);
    // The most frequent one, so that flat grounds keep their exact colour.
    return box.reduce((left, right) => (right[1] > left[1] ? right : left))[0];
  });
  return { colours, of };
}

/** A screenshot with at most 256 colours. */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, pixels } = readPng(png);
  const { colours, of } = palette(pixels);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = of.get(pixels[y * width + x]!)!;
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
