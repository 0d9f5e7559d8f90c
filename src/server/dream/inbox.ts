// What waits for a dream: messages and notes, each new, taken, settled or set aside. The words themselves stay in the transcripts.
import { estimateTokenCount } from "tokenx";
import { DREAM_INBOX_TOKENS, INBOX_MAX_TRIES, INBOX_PULL } from "../../shared/limits.ts";
import type { DreamStore, InboxItem, InboxSource, InboxText } from "./types.ts";

const CURSOR = "inbox-cursor";
/** Items looked at when a batch is put together: more than a budget of tokens can hold. */
const LOOK_MAX = 400;
/** What a message costs besides its words: reference, time and zone. */
const LINE_TOKENS = 24;

/** Brings messages and notes that came since the last look into the inbox; cheap when nothing came. */
export function pullInbox(store: DreamStore, source: InboxSource): void {
  for (;;) {
    const from = Number(store.get(CURSOR) ?? 0);
    const { items, cursor } = source.messagesSince(from, INBOX_PULL);
    for (const { ref, at } of items) {
      if (!store.item(ref)) store.saveItem({ ref, at, version: 0, state: "new", tries: 0, dream: null, outcome: null });
    }
    if (cursor <= from) break;
    store.set(CURSOR, String(cursor));
  }
  for (const { ref, at, version } of source.notes()) {
    const known = store.item(ref);
    if (!known || known.version < version) {
      // A note that is saved while a dream reads it waits again afterwards, as it now stands.
      store.saveItem({ ref, at, version, state: "new", tries: 0, dream: null, outcome: null });
    }
  }
}

/** Whether something waits, without reading it. */
export function hasNews(store: DreamStore, source: InboxSource): boolean {
  pullInbox(store, source);
  return store.count("new") > 0;
}

/** An item with its words and the assistant's message before it. */
export interface Taken {
  item: InboxItem;
  text: InboxText;
  context: InboxText | null;
}

/**
 * The oldest items that fit the budget; at least one. Items whose words are gone are settled on the way. What failed before comes in
 * smaller batches, so that one message that no model can bear takes few others with it.
 */
export function chooseItems(store: DreamStore, source: InboxSource, budget = DREAM_INBOX_TOKENS, settleGone = true): Taken[] {
  const taken: Taken[] = [];
  let left = budget;
  for (const item of store.items("new", LOOK_MAX)) {
    const text = source.text(item.ref);
    if (text === null || text.text.replace(/\[forgotten\]/g, "").trim() === "") {
      if (settleGone) store.saveItem({ ...item, state: "settled", outcome: "gone" });
      continue;
    }
    if (taken.length === 0) left = budget / 4 ** item.tries;
    const tokens = estimateTokenCount(text.text) + LINE_TOKENS;
    if (taken.length > 0 && tokens > left) break;
    left -= tokens;
    let context = source.before(item.ref);
    // Context is shared between neighbours of one conversation and never crowds out what was said.
    if (context && taken.some((other) => other.context?.ref === context?.ref)) context = null;
    taken.push({ item, text, context });
  }
  return taken;
}

/** Marks items as taken by a dream. */
export function takeItems(store: DreamStore, dream: string, taken: readonly Taken[]): void {
  for (const { item } of taken) store.saveItem({ ...item, state: "taken", dream, outcome: null });
}

/** Settles an item: landed, proposed, nothing to do. */
export function settleItem(store: DreamStore, source: InboxSource, item: InboxItem, outcome: string): void {
  store.saveItem({ ...item, state: "settled", outcome });
  if (item.version > 0) source.noteRead(item.ref, item.version);
}

/** Gives an item back. `failed` counts a try; after INBOX_MAX_TRIES it is set aside and shown. */
export function giveBack(store: DreamStore, item: InboxItem, failed: boolean, reason: string): void {
  const tries = item.tries + (failed ? 1 : 0);
  const aside = tries >= INBOX_MAX_TRIES;
  store.saveItem({ ...item, state: aside ? "set-aside" : "new", tries, outcome: aside ? reason : null });
}

/** Makes what was set aside new again. */
export function retrySetAside(store: DreamStore): number {
  const items = store.items("set-aside", INBOX_PULL);
  for (const item of items) store.saveItem({ ...item, state: "new", tries: 0, dream: null, outcome: null });
  return items.length;
}

/** Takes references out of the inbox for good: their conversation or note was deleted, or its words erased. */
export function dropItems(store: DreamStore, refs: readonly string[]): void {
  for (const ref of refs) {
    const item = store.item(ref);
    if (item && item.state !== "settled") store.saveItem({ ...item, state: "settled", outcome: "gone" });
  }
}
