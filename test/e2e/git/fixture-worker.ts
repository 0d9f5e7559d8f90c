// A Worker that serves bare repositories, one a Durable Object: /<name>/git/memory.git for git, /<name>/fixture/… for the test.
import { DurableObject } from "cloudflare:workers";
import { AppError, refusalOf } from "../../../src/shared/errors.ts";
import type { Push } from "../../../src/server/git/judge-push.ts";
import type { PushVerdict } from "../../../src/server/git/receive-pack.ts";
import { commitChanges, diffTrees, readBlob } from "../../../src/server/git/repo.ts";
import { handleGit } from "../../../src/server/git/smart-http.ts";
import { createTables, openStore, type ObjectStore } from "../../../src/server/git/store.ts";

const MAIN = "refs/heads/main";

export interface Landing {
  files?: Record<string, string | null>;
  at?: number;
  /** Parents beside main. */
  merge?: string[];
  /** The branch to move; main when absent. */
  branch?: string;
}

export interface Growth {
  /** Files to add, their first number, and commits that change one of them each. */
  grow: number;
  first: number;
  commits: number;
  bytes: number;
}

export class Repository extends DurableObject {
  readonly #store: ObjectStore;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    createTables(state.storage.sql);
    this.#store = openStore(state.storage.sql);
  }

  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const [, , room, what] = url.pathname.split("/");
    if (room === "git")
      return handleGit(request, {
        store: this.#store,
        allowPush: url.pathname.startsWith("/push-") && ((push) => this.#receive(push)),
        repoRefs: () => ({ head: MAIN, refs: this.#store.refs() }),
        now: () => Date.now(),
      });
    const body = request.method === "POST" ? ((await request.json()) as Growth & Landing) : null;
    if (what === "land") return Response.json(this.#land(body!));
    if (what === "grow") return Response.json(this.#grow(body!));
    if (what === "tag") return Response.json(this.#tag());
    const counts = this.ctx.storage.sql
      .exec("SELECT count(*) AS objects, (SELECT count(*) FROM git_ref_log) AS moves FROM git_objects")
      .one();
    return Response.json({ ...counts, refs: this.#store.refs() });
  }

  /** Lands what is sound, unless a file says that it wants to be refused. */
  #receive(push: Push): PushVerdict {
    try {
      return this.ctx.storage.transactionSync(() => {
        push.write();
        for (const { path, after } of diffTrees(this.#store, push.before, push.after))
          if (after && new TextDecoder().decode(readBlob(this.#store, after)).includes("refuse me"))
            throw new AppError("secret", `${path}: it asks to be refused.`);
        this.#store.moveRef(push.ref, push.before, push.after, { kind: "push", actor: "user", at: Date.now() });
        return { ok: true, lines: [`${push.commits.length} commits, ${push.objects.length} objects.`] };
      });
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return { ok: false, reason: refusal.message, lines: [refusal.message] };
    }
  }

  #land({ files = {}, at = 1_767_225_600_000, merge = [], branch = "main" }: Landing): { commit: string } {
    return this.ctx.storage.transactionSync(() => {
      const name = `refs/heads/${branch}`;
      const head = this.#store.ref(name) ?? this.#store.ref(MAIN);
      const person = { name: "Ada Example", email: "ada@example.org", at, tz: "+0000" };
      const changes = new Map(
        Object.entries(files).map(([path, text]) => [path, text === null ? null : new TextEncoder().encode(text)]),
      );
      const parents = [...(head ? [head] : []), ...merge];
      const { commit } = commitChanges(this.#store, {
        parent: head,
        parents,
        changes,
        author: person,
        committer: person,
        message: "edit(memory): a change",
      });
      this.#store.moveRef(name, this.#store.ref(name), commit, { kind: "edit", actor: "user", at });
      return { commit };
    });
  }

  /** Many files at once, then commits that change one each; `bytes` a file, hard to deflate. */
  #grow({ grow: files, commits, bytes, first }: Growth): { commit: string } {
    const text = (i: number, round: number): string => {
      let state = (i * 2_654_435_761 + round * 40_503 + 1) >>> 0;
      let made = `# File ${i}\n\n`;
      while (made.length < bytes) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        made += `- Fact ${state.toString(36)}\n`;
      }
      return made;
    };
    const path = (i: number): string => `notes/d${Math.floor(i / 100)}/file-${i}.md`;
    let landed = this.#land({
      files: Object.fromEntries(Array.from({ length: files }, (_, i) => [path(first + i), text(first + i, 0)])),
    });
    for (let round = 1; round <= commits; round++)
      landed = this.#land({
        files: { [path(first + ((round * 37) % files))]: text(first + ((round * 37) % files), round) },
        at: 1_767_225_600_000 + round * 1000,
      });
    return landed;
  }

  #tag(): { tag: string } {
    const head = this.#store.ref(MAIN)!;
    const data = new TextEncoder().encode(
      `object ${head}\ntype commit\ntag v1\ntagger Ada <ada@example.org> 1767225600 +0000\n\nA tag\n`,
    );
    const tag = this.#store.write("tag", data);
    this.ctx.storage.sql.exec(
      "INSERT INTO git_refs (repo, name, oid) SELECT 1, 'refs/tags/v1', oid FROM git_objects WHERE type = 4",
    );
    return { tag };
  }
}

export default {
  fetch(request: Request, env: { REPOSITORY: DurableObjectNamespace }): Promise<Response> {
    const name = new URL(request.url).pathname.split("/")[1]!;
    return env.REPOSITORY.get(env.REPOSITORY.idFromName(name)).fetch(request);
  },
};
