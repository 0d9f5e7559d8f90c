// The user's own model endpoint: its address, its models, its key. The key goes in and is never shown.
import { useState, type FormEvent } from "react";
import type { ModelKeyView } from "../../shared/protocol.ts";
import { json, troubleOf } from "../lib/api.ts";
import { invalidate, provide, useResource } from "../lib/resource.ts";
import { Sheet } from "../ui/Sheet.tsx";
import { say, warn } from "../ui/Toasts.tsx";
import { Row } from "./controls.tsx";

function Editor({ now, close }: { now: ModelKeyView; close: () => void }) {
  const [url, setUrl] = useState(now.url ?? "");
  const [key, setKey] = useState("");
  const [chatModel, setChat] = useState(now.chatModel ?? "");
  const [dreamModel, setDream] = useState(now.dreamModel ?? "");
  const [trouble, setTrouble] = useState<string | null>(null);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setTrouble(null);
    try {
      const body = { url, chatModel, dreamModel: dreamModel.trim() || null, ...(key === "" ? {} : { key }) };
      provide("model-key", await json<ModelKeyView>("PUT", "/api/model-key", { body }));
      invalidate("models");
      say("Answers come from your own endpoint from now on.");
      close();
    } catch (error) {
      setTrouble(troubleOf(error).message);
    }
  };
  const field = (label: string, value: string, set: (text: string) => void, more: object = {}) => (
    <label>
      {label}
      <input
        className="field"
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set(event.target.value)}
        {...more}
      />
    </label>
  );
  return (
    <Sheet title="Your own model" close={close}>
      <form onSubmit={(event) => void save(event)}>
        {field("Address of an OpenAI-compatible endpoint", url, setUrl, { required: true, placeholder: "https://…/v1" })}
        {field(now.url ? "Key, empty to keep the one that is there" : "Key", key, setKey, {
          type: "password",
          required: !now.url,
        })}
        {field("Model for conversations", chatModel, setChat, { required: true })}
        {field("Model for dreams, empty for the same", dreamModel, setDream)}
        {trouble ? (
          <p className="why" role="alert">
            Not saved. {trouble}
          </p>
        ) : null}
        <p className="acts">
          <button type="button" className="act" onClick={close}>
            Leave it
          </button>
          <button type="submit" className="btn primary">
            Use it
          </button>
        </p>
      </form>
    </Sheet>
  );
}

export function OwnModelPart() {
  const { data } = useResource<ModelKeyView>("model-key", (signal) => json("GET", "/api/model-key", { signal }));
  const [open, set] = useState(false);
  const drop = async () => {
    try {
      provide("model-key", await json<ModelKeyView>("DELETE", "/api/model-key"));
      invalidate("models");
      say("Answers come from this installation’s model again.");
    } catch (error) {
      warn(`Nothing was changed. ${troubleOf(error).message}`);
    }
  };
  if (!data) return null;
  const host = data.url ? new URL(data.url).host : null;
  return (
    <>
      <h2 className="section">A model of your own</h2>
      <Row
        label={host ?? "None"}
        help={
          !host
            ? "Your own key at your own endpoint: nothing of yours goes to this installation’s model then, and your limit is your own."
            : data.usable
              ? `${data.chatModel} answers${data.dreamModel ? `, ${data.dreamModel} dreams` : ""}. The key is sealed and never shown.`
              : "Its key cannot be opened any more. Give it again."
        }
      >
        <button type="button" className="btn" onClick={() => set(true)}>
          {host ? "Change it" : "Use your own"}
        </button>
        {host ? (
          <button type="button" className="act grave" onClick={() => void drop()}>
            Remove it
          </button>
        ) : null}
      </Row>
      {open ? <Editor now={data} close={() => set(false)} /> : null}
    </>
  );
}
