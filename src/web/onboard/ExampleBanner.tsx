// Says that the memory is the example, and takes it away.
import { useState } from "react";
import { troubleOf } from "../lib/api.ts";
import { useStore } from "../lib/store.ts";
import { say, warn } from "../ui/Toasts.tsx";
import { exampleCommits, takeAway } from "./example.ts";

export function ExampleBanner() {
  const commits = useStore(exampleCommits);
  const [busy, setBusy] = useState(false);
  if (commits === null) return null;
  const run = async () => {
    setBusy(true);
    try {
      await takeAway();
      say("Mara’s memory is gone again.");
    } catch (error) {
      warn(`Not all of it is gone. ${troubleOf(error).message}`);
    }
    setBusy(false);
  };
  return (
    <div className="banner" role="note">
      <span>You are in the memory of Mara, who is invented.</span>
      <button type="button" className="act" disabled={busy} onClick={() => void run()}>
        Take it away
      </button>
    </div>
  );
}
