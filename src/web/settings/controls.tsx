// The controls of the settings: a row with its help, radios, a switch, fields that save when they are left.
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { say } from "../ui/Toasts.tsx";

export function Row({ label, help, children }: { label: string; help: string; children: ReactNode }) {
  return (
    <div className="set">
      <p className="label">{label}</p>
      <p className="help">{help}</p>
      <div className="ctl">{children}</div>
    </div>
  );
}

export function Saved({ at }: { at: string | null }) {
  return (
    <span className="meta" role="status">
      {at ? `saved ${at}` : ""}
    </span>
  );
}

export function Choice<T extends string>({
  label,
  value,
  options,
  set,
}: {
  label: string;
  value: T;
  options: [T, string][];
  set: (value: T) => void;
}) {
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    const by =
      event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : event.key === "ArrowUp" || event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = options.findIndex(([name]) => name === value);
    const next = options[(at + by + options.length) % options.length];
    if (!next) return;
    set(next[0]);
    const group = event.currentTarget;
    requestAnimationFrame(() => group.querySelector<HTMLElement>('[aria-checked="true"]')?.focus());
  };
  return (
    <div className="choice" role="radiogroup" aria-label={label} onKeyDown={keys}>
      {options.map(([name, text]) => (
        <button
          key={name}
          type="button"
          className="radio"
          role="radio"
          aria-checked={name === value}
          tabIndex={name === value ? 0 : -1}
          onClick={() => set(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Switch({
  label,
  on,
  disabled = false,
  set,
}: {
  label: string;
  on: boolean;
  disabled?: boolean;
  set: (on: boolean) => void;
}) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => set(!on)}
    />
  );
}

interface FieldProps<T> {
  label: string;
  value: string;
  width: string;
  /** Undefined: it cannot be read. */
  read: (text: string) => T | undefined | null;
  wrong: string;
  set: (value: T) => Promise<boolean>;
  placeholder?: string;
  after?: string;
  /** What may be chosen, besides what may be typed. */
  choices?: readonly { value: string; label: string }[];
}

export function TextField<T>({ label, value, width, read, wrong, set, placeholder, after, choices }: FieldProps<T>) {
  const [text, setText] = useState(value);
  const [bad, setBad] = useState(false);
  const why = useId();
  useEffect(() => setText(value), [value]);
  const leave = async () => {
    if (text === value) {
      setBad(false);
      return;
    }
    const next = read(text);
    if (next === undefined) {
      setBad(true);
      return;
    }
    setBad(false);
    if (!(await set(next as T))) setText(value);
  };
  return (
    <>
      <span style={{ display: "inline-flex", gap: 8, alignItems: "baseline" }}>
        <input
          className="field num"
          style={{ width }}
          aria-label={label}
          aria-invalid={bad}
          aria-describedby={bad ? why : undefined}
          list={choices && choices.length > 0 ? `${why}-choices` : undefined}
          value={text}
          placeholder={placeholder}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => void leave()}
          onKeyDown={(event) => {
            if (event.key === "Enter") void leave();
            if (event.key === "Escape") {
              setText(value);
              setBad(false);
            }
          }}
        />
        {after}
        {choices && choices.length > 0 ? (
          <datalist id={`${why}-choices`}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </datalist>
        ) : null}
      </span>
      {bad ? (
        <span id={why} className="meta over" role="alert">
          {wrong}
        </span>
      ) : null}
    </>
  );
}

export function TextArea({
  label,
  value,
  max,
  set,
}: {
  label: string;
  value: string;
  max: number;
  set: (value: string) => Promise<boolean>;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <div style={{ maxWidth: "var(--measure)" }}>
      <textarea
        className="field long"
        rows={2}
        dir="auto"
        aria-label={label}
        maxLength={max}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text !== value && void set(text).then((ok) => ok || setText(value))}
      />
    </div>
  );
}

/** A word that copies a text. */
export function CopyWord({ text }: { text: string }) {
  return (
    <button
      type="button"
      className="act"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => say("Copied."),
          () => say("This browser does not let a page copy."),
        )
      }
    >
      Copy
    </button>
  );
}
