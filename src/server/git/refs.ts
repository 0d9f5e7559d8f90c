// The refs that a client sees: their order, HEAD, peeled tags. Which ones are shown is the caller's decision.
import { isOid, type Oid } from "./oid.ts";
import { tagTarget } from "./tag.ts";
import type { ObjectStore } from "./store.ts";

/** What a repository shows to git clients. */
export interface RepoRefs {
  /** The branch that HEAD names; it need not exist yet. */
  head: string;
  refs: { name: string; oid: Oid }[];
  /** Tips that were shown a moment ago and may still be asked for, though no ref stands there any more. */
  lately?: Oid[];
}

/** One line of an advertisement. */
export interface ShownRef {
  name: string;
  oid: Oid;
  /** The branch that a symbolic ref names. */
  target?: string;
  /** What an annotated tag leads to. */
  peeled?: Oid;
}

/** HEAD first when its branch exists, then the refs by name. */
export function shownRefs(store: ObjectStore, { head, refs }: RepoRefs): ShownRef[] {
  const sorted = [...refs].sort((a, b) => (a.name < b.name ? -1 : 1));
  const branch = sorted.find(({ name }) => name === head);
  const shown: ShownRef[] = branch ? [{ name: "HEAD", oid: branch.oid, target: head }] : [];
  for (const ref of sorted) {
    const peeled = peel(store, ref.oid);
    shown.push(peeled === ref.oid ? ref : { ...ref, peeled });
  }
  return shown;
}

function peel(store: ObjectStore, oid: Oid): Oid {
  let at = oid;
  for (let object = store.typeOf(at) === "tag" ? store.read(at) : null; object?.type === "tag"; object = store.read(at))
    at = tagTarget(object.data);
  return isOid(at) ? at : oid;
}
