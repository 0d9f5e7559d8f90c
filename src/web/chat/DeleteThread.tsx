// Deleting a conversation: says what goes and what remains before it does it.
import { useState } from "react";
import type { ThreadView } from "../../shared/protocol.ts";
import { api, troubleOf } from "../lib/api.ts";
import { invalidate } from "../lib/resource.ts";
import { figures } from "../lib/words.ts";
import { Sheet } from "../ui/Sheet.tsx";
import { say } from "../ui/Toasts.tsx";
import { leaveRoom } from "./room.ts";

export function DeleteThread({ thread, close, done }: { thread: ThreadView; close: () => void; done: () => void }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const run = async () => {
    setBusy(true);
    try {
      await api.deleteThread(thread.id);
      leaveRoom(thread.id);
      invalidate("threads", "entry:");
      say("The conversation is deleted.");
      done();
    } catch (error) {
      setTrouble(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <Sheet title={`“${thread.title || "A new conversation"}”`} said={figures(thread.messages, "message")} close={close}>
      <p className="body">
        Its messages go, here and in search. The lines that it wrote to the memory stay, and say that their conversation was
        deleted.
      </p>
      {trouble ? (
        <p className="why" role="alert">
          {trouble}
        </p>
      ) : null}
      <p className="acts">
        <button type="button" className="act" onClick={close}>
          Keep it
        </button>
        <button type="button" className="btn grave primary" disabled={busy} onClick={() => void run()}>
          Delete the conversation
        </button>
      </p>
    </Sheet>
  );
}
