// A mirror of main at another git server: what is set, and how it stands. The token goes in and never comes back.
import * as z from "zod/mini";

export const MirrorBody = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** Absent: the one that is kept goes on, as long as the server stays the same. */
  token: z.optional(z.string().check(z.minLength(1), z.maxLength(2000))),
  /** The name that goes with the token; most servers take any. */
  user: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type MirrorBody = z.infer<typeof MirrorBody>;

export interface MirrorView {
  /** Null = there is no mirror. */
  url: string | null;
  user: string | null;
  /**
   * off; waiting: a push is due; pushing; current: the mirror holds the head; failed: it is tried again at `nextAt`;
   * foreign: the remote holds commits that are not this memory's, and nothing is pushed over them.
   */
  status: "off" | "waiting" | "pushing" | "current" | "failed" | "foreign";
  /** The last commit that arrived there, and when. */
  commit: string | null;
  pushedAt: string | null;
  /** What is wrong and what to do, null = nothing. */
  error: string | null;
  tries: number;
  nextAt: string | null;
}
