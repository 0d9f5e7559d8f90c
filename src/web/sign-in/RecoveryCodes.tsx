// Recovery codes, the one time that they can be read: to copy, to keep as a file, and to say that they are kept.
import { download } from "../chat/export-thread.ts";
import { CopyWord } from "../settings/controls.tsx";

export function RecoveryCodes({ codes, done, word }: { codes: readonly string[]; done: () => void; word: string }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <section aria-label="Recovery codes">
      <ol className="codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p className="acts" style={{ marginTop: 20 }}>
        <button type="button" className="btn primary" onClick={done}>
          {word}
        </button>
        <CopyWord text={text} />
        <button type="button" className="act" onClick={() => download("reverie-recovery-codes.txt", text, "text/plain")}>
          Keep as a file
        </button>
      </p>
    </section>
  );
}
