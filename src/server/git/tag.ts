// Annotated tags as bytes. Pure; knows no store.
import { AppError } from "../../shared/errors.ts";
import type { Oid } from "./oid.ts";

/** The object that an annotated tag names. */
export function tagTarget(data: Uint8Array): Oid {
  const line = new TextDecoder().decode(data.subarray(0, 48));
  const match = /^object ([0-9a-f]{40})\n/.exec(line);
  if (!match) throw new AppError("bad-format", "This tag object is damaged: it names no object.");
  return match[1]!;
}
