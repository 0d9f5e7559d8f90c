// Two clocks on one line: above, the day on which things were true; below, the day by which they were known. Sliders, and dates that can be typed.
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { Popover } from "radix-ui";
import { addDays, addMonths, firstDay, partialLong, readDate, today as todayHere } from "../lib/dates.ts";
import { dayAt, daysBetween, placeOf, scaleOf, yearsOf, type Scale } from "./datebar-scale.ts";
import "./datebar.css";

export interface Reading {
  /** Null: today. */
  asOf: string | null;
  knownAt: string | null;
}

/** Changes on one day from which on its tick is a tall one. */
const BIG_TICK = 3;

interface HandleProps {
  kind: "true" | "known";
  label: string;
  day: string;
  scale: Scale;
  last: string;
  today: string;
  move: (day: string) => void;
  drop: (day: string) => void;
}

function Handle({ kind, label, day, scale, last, today, move, drop }: HandleProps) {
  const clamp = (next: string) => (next < scale.from ? scale.from : next > last ? last : next);
  const keys = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: () => addDays(day, -1),
      ArrowDown: () => addDays(day, -1),
      ArrowRight: () => addDays(day, 1),
      ArrowUp: () => addDays(day, 1),
      PageDown: () => addMonths(day, -1),
      PageUp: () => addMonths(day, 1),
      Home: () => scale.from,
      End: () => today,
    }[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    drop(clamp(next()));
  };
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    move(clamp(dayAt(scale, (event.clientX - box.left) / box.width)));
  };
  return (
    <span
      className={`handle ${kind}`}
      style={{ left: `${placeOf(scale, day)}%` }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={daysBetween(scale.from, last)}
      aria-valuenow={daysBetween(scale.from, day)}
      aria-valuetext={day === today ? `today, ${partialLong(day)}` : partialLong(day)}
      onKeyDown={keys}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.stopPropagation();
      }}
      onPointerMove={drag}
      onPointerUp={() => drop(day)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={kind === "true" ? "M3.5 5h9L8 11.5z" : "M3.5 11.5h9L8 5z"} />
      </svg>
    </span>
  );
}

function Typed({
  prefix,
  day,
  today,
  last,
  set,
}: {
  prefix: string;
  day: string;
  today: string;
  last: string;
  set: (day: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const help = useId();
  const read = text.trim() === "" ? null : readDate(text);
  const date = read === null ? null : firstDay(read);
  const wrong = text.trim() !== "" && (date === null || date > last);
  return (
    <p className="clock">
      {prefix}{" "}
      <Popover.Root
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          setText("");
        }}
      >
        <Popover.Trigger asChild>
          <button type="button">{day === today ? "today" : partialLong(day)}</button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            className="pop"
            sideOffset={8}
            collisionPadding={16}
            aria-label={`${prefix}, a date`}
            style={{ width: "18rem" }}
          >
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (date === null || wrong) return;
                set(date);
                setOpen(false);
              }}
            >
              <label>
                {prefix}
                <input
                  className="field num"
                  value={text}
                  placeholder={partialLong(day)}
                  onChange={(event) => setText(event.target.value)}
                  aria-invalid={wrong}
                  aria-describedby={help}
                  autoComplete="off"
                />
              </label>
              <p id={help} className={wrong ? "meta over" : "meta"} style={{ marginTop: 4 }}>
                {wrong
                  ? date === null
                    ? "There is no such day."
                    : "That day has not come yet."
                  : date
                    ? partialLong(date)
                    : "14 Sep 2025, Sep 2025 or 2025"}
              </p>
              <p className="acts">
                <button type="submit" className="act strong" disabled={date === null || wrong}>
                  Read that day
                </button>
                <button
                  type="button"
                  className="act"
                  onClick={() => {
                    set(today);
                    setOpen(false);
                  }}
                >
                  Today
                </button>
              </p>
            </form>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </p>
  );
}

export function DateBar({
  reading,
  set,
  changes,
}: {
  reading: Reading;
  set: (reading: Reading) => void;
  changes: readonly string[];
}) {
  const today = todayHere();
  const scale = useMemo(() => scaleOf(changes, today), [changes, today]);
  const [moving, setMoving] = useState<Reading | null>(null);
  const at = moving ?? reading;
  const asOf = at.asOf ?? today;
  const knownAt = at.knownAt ?? today;
  const past = reading.asOf !== null || reading.knownAt !== null;
  const track = useRef<HTMLDivElement>(null);
  useEffect(() => setMoving(null), [reading.asOf, reading.knownAt]);
  useEffect(() => {
    if (past) document.body.dataset.when = "past";
    else delete document.body.dataset.when;
    return () => {
      delete document.body.dataset.when;
    };
  }, [past]);
  const ticks = useMemo(() => {
    const days = new Map<string, number>();
    for (const change of changes) {
      const day = firstDay(change);
      if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day >= scale.from && day <= scale.to) days.set(day, (days.get(day) ?? 0) + 1);
    }
    return [...days];
  }, [changes, scale]);
  const plain = (day: string): string | null => (day === today ? null : day);
  const press = (event: PointerEvent<HTMLDivElement>) => {
    const box = track.current?.getBoundingClientRect();
    if (!box) return;
    const day = dayAt(scale, (event.clientX - box.left) / box.width);
    if (event.clientY - box.top < box.height / 2 + 2) set({ asOf: plain(day), knownAt: reading.knownAt });
    else set({ asOf: reading.asOf, knownAt: plain(day > today ? today : day) });
  };
  return (
    <section className="datebar" aria-label="Date of reading">
      <Typed
        prefix="True on"
        day={asOf}
        today={today}
        last={scale.to}
        set={(day) => set({ asOf: plain(day), knownAt: reading.knownAt })}
      />
      <div className="track" ref={track} onPointerDown={press} dir="ltr">
        <span className="rail" />
        <span className="ahead" style={{ left: `${placeOf(scale, today)}%` }} />
        {ticks.map(([day, times]) => (
          <i key={day} className={times >= BIG_TICK ? "tick big" : "tick"} style={{ left: `${placeOf(scale, day)}%` }} />
        ))}
        {yearsOf(scale).map((year) => (
          <span key={year} className="yr" style={{ left: `${placeOf(scale, `${year}-01-01`)}%` }} aria-hidden="true">
            {year}
          </span>
        ))}
        <i className="now" style={{ left: `${placeOf(scale, today)}%` }} />
        <Handle
          kind="true"
          label="True on"
          day={asOf}
          scale={scale}
          last={scale.to}
          today={today}
          move={(day) => setMoving({ asOf: day, knownAt: at.knownAt })}
          drop={(day) => set({ asOf: plain(day), knownAt: reading.knownAt })}
        />
        <Handle
          kind="known"
          label="Known by"
          day={knownAt}
          scale={scale}
          last={today}
          today={today}
          move={(day) => setMoving({ asOf: at.asOf, knownAt: day })}
          drop={(day) => set({ asOf: reading.asOf, knownAt: plain(day) })}
        />
      </div>
      {past && reading.knownAt === null ? (
        <p className="clock">
          <button type="button" onClick={() => set({ asOf: null, knownAt: null })}>
            Back to today
          </button>
        </p>
      ) : (
        <div>
          <Typed
            prefix="Known by"
            day={knownAt}
            today={today}
            last={today}
            set={(day) => set({ asOf: reading.asOf, knownAt: plain(day) })}
          />
          {past ? (
            <p className="clock">
              <button type="button" onClick={() => set({ asOf: null, knownAt: null })}>
                Back to today
              </button>
            </p>
          ) : null}
        </div>
      )}
    </section>
  );
}
