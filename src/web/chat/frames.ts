// How a conversation on the screen changes with each frame that the server sends. Pure.
import type { Action, ChatFrame, MessageView } from "../../shared/protocol.ts";

/** A conversation as this tab knows it. */
export interface Talk {
  items: MessageView[];
  loaded: { lines: number; of: number } | null;
  /** Set where an answer could not begin or broke off without a message of its own. */
  failure: { code: string; text: string } | null;
}

export const EMPTY_TALK: Talk = { items: [], loaded: null, failure: null };

/** Ids of messages that only this tab knows yet begin with this. */
export const LOCAL = "local-";

/** A message of the assistant that has just begun. */
export function blank(id: string, at: string): MessageView {
  return {
    id,
    role: "assistant",
    text: "",
    at,
    zone: "UTC",
    pasted: [],
    actions: [],
    recalled: [],
    usage: null,
    status: "writing",
    error: null,
    secrets: [],
  };
}

function upsert(items: MessageView[], message: MessageView): MessageView[] {
  const at = items.findIndex((one) => one.id === message.id);
  if (at >= 0) return items.map((one, index) => (index === at ? message : one));
  return [...items, message];
}

function change(talk: Talk, id: string, to: (message: MessageView) => MessageView): Talk {
  const known = talk.items.some((one) => one.id === id);
  const items = known ? talk.items : [...talk.items, blank(id, new Date().toISOString())];
  return { ...talk, items: items.map((one) => (one.id === id ? to(one) : one)) };
}

function withAction(actions: Action[], action: Action): Action[] {
  const at = action.card === undefined ? -1 : actions.findIndex((one) => one.card === action.card);
  return at < 0 ? [...actions, action] : actions.map((one, index) => (index === at ? action : one));
}

/** The conversation after a frame. */
export function applyFrame(talk: Talk, frame: ChatFrame): Talk {
  switch (frame.type) {
    case "snapshot":
      return frame.writing ? { ...talk, items: upsert(talk.items, frame.writing) } : talk;
    case "user":
      return {
        ...talk,
        failure: null,
        items: upsert(
          talk.items.filter((one) => !one.id.startsWith(LOCAL)),
          frame.message,
        ),
      };
    case "start":
      return talk.items.some((one) => one.id === frame.message && one.text !== "")
        ? talk
        : { ...talk, failure: null, items: upsert(talk.items, blank(frame.message, frame.at)) };
    case "delta":
      return change(talk, frame.message, (one) => ({ ...one, text: one.text + frame.text }));
    case "action":
      return change(talk, frame.message, (one) => ({ ...one, actions: withAction(one.actions, frame.action) }));
    case "recalled":
      return { ...change(talk, frame.message, (one) => ({ ...one, recalled: frame.recalled })), loaded: frame.loaded };
    case "done":
      return { ...talk, items: upsert(talk.items, frame.message) };
    case "error": {
      const { message } = frame;
      if (message === null) return { ...talk, failure: { code: frame.code, text: frame.text } };
      return change(talk, message, (one) => ({ ...one, status: "broken", error: { code: frame.code, message: frame.text } }));
    }
  }
}

/** Whether an answer is being written. */
export function isWriting(talk: Talk): boolean {
  return talk.items.some((one) => one.status === "writing");
}
