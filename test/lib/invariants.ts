// The invariants that hold after every fault (test plan, INV), asked from outside: HTTP and native git.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { all, call } from "./api.ts";

interface Check {
  ok: boolean;
  head: string | null;
  next: string | null;
  problems: string[];
}

/** What is wrong after a fault; an empty list is a pass. `acknowledged`: commits that were answered with ok. */
export async function broken(url: string, acknowledged: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  let cursor: string | null = null;
  do {
    const check: { status: number; body: Check } = await call<Check>(
      url,
      "GET",
      `/api/check${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ""}`,
    );
    problems.push(...check.body.problems);
    cursor = check.body.next;
  } while (cursor);

  const folder = mkdtempSync(join(tmpdir(), "reverie-clone-"));
  try {
    const clone = join(folder, "memory");
    execFileSync("git", ["clone", "-q", `${url}/git/memory.git`, clone], { stdio: "pipe" });
    const fsck = execFileSync("git", ["-C", clone, "fsck", "--strict", "--full"], { encoding: "utf8", stdio: "pipe" });
    if (fsck.trim() !== "") problems.push(`git fsck: ${fsck.trim()}`);
    const reachable = new Set(
      execFileSync("git", ["-C", clone, "rev-list", "HEAD"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).split("\n"),
    );
    for (const commit of acknowledged)
      if (!reachable.has(commit)) problems.push(`Commit ${commit} was acknowledged and is gone.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return problems;
}

/** Whether the projections equal a rebuild from head: the entries before and after, as the API tells them. */
export async function projectionsEqualRebuild(url: string): Promise<boolean> {
  const before = JSON.stringify(await all(url, "/api/entries?state=all"));
  await call(url, "POST", "/api/rebuild", {});
  const after = JSON.stringify(await all(url, "/api/entries?state=all"));
  return before === after;
}
