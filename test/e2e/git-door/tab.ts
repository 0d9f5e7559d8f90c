// An open tab as the server sees it: a WebSocket (RFC 6455) that only listens.
import { randomBytes } from "node:crypto";
import { get } from "node:http";
import type { Socket } from "node:net";

export interface Tab {
  /** The next JSON message that fits, also one that came already. */
  next<T>(fits: (message: T) => boolean): Promise<T>;
  close(): void;
}

/** The text messages in the bytes so far, and what is left of them. The server masks nothing. */
function readFrames(bytes: Buffer): { texts: string[]; rest: Buffer } {
  const texts: string[] = [];
  let at = 0;
  for (;;) {
    if (bytes.length < at + 2) break;
    const short = bytes[at + 1]! & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < at + head) break;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    if (bytes.length < at + head + length) break;
    if ((bytes[at]! & 0x0f) === 1) texts.push(bytes.toString("utf8", at + head, at + head + length));
    at += head + length;
  }
  return { texts, rest: bytes.subarray(at) };
}

/** Opens a socket to an object of the app. */
export function openTab(url: string): Promise<Tab> {
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    };
    const request = get(url, { headers });
    request.once("error", reject);
    request.once("response", ({ statusCode }) => reject(new Error(`The socket was refused with ${statusCode}.`)));
    request.once("upgrade", (_, socket: Socket, first: Buffer) => {
      const waiting: { fits(message: never): boolean; tell(message: never): void }[] = [];
      const seen: never[] = [];
      let rest: Buffer = Buffer.alloc(0);
      const take = (chunk: Buffer): void => {
        const read = readFrames(Buffer.concat([rest, chunk]));
        rest = read.rest;
        for (const text of read.texts) {
          const message = JSON.parse(text) as never;
          seen.push(message);
          for (const one of waiting) if (one.fits(message)) one.tell(message);
        }
      };
      socket.on("data", take);
      socket.on("error", () => undefined);
      if (first.length > 0) take(first);
      resolve({
        next: <T>(fits: (message: T) => boolean) =>
          new Promise<T>((tell) => {
            const known = seen.find((message) => fits(message as T));
            if (known !== undefined) tell(known as T);
            else waiting.push({ fits: fits as never, tell: tell as never });
          }),
        close: () => socket.destroy(),
      });
    });
  });
}
