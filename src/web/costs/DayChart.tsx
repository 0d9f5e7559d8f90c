// Cost by day: conversations dark, dreams pale, today under a stroke of dawn. Two inks, no third colour.
import type { CostSum, LedgerRow } from "../../shared/protocol.ts";
import { partialLong } from "../lib/dates.ts";
import { dollars } from "../lib/words.ts";

const WIDTH = 728;
const BASE = 128;
const TOP = 8;

/** A round number at or below which one hairline is drawn. */
export function gridLine(most: number): number {
  if (most <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((step) => step * power).find((value) => value <= most * 0.75) ?? power / 2;
}

export function DayChart({ month, sums, rows }: { month: string; sums: readonly CostSum[]; rows: readonly LedgerRow[] }) {
  const [year = 0, at = 1] = month.split("-").map(Number);
  const days = new Date(Date.UTC(year, at, 0)).getUTCDate();
  const dreams = new Map<number, number>();
  for (const row of rows) {
    if (row.kind === "dream" && row.usd !== null) {
      const day = Number(row.at.slice(8, 10));
      dreams.set(day, (dreams.get(day) ?? 0) + row.usd);
    }
  }
  const total = new Map(sums.map((sum) => [Number(sum.key.slice(8, 10)), sum.usd]));
  const most = Math.max(0, ...total.values());
  const line = gridLine(most);
  const scale = most > 0 ? (BASE - TOP - 2) / most : 0;
  const step = (WIDTH - 12) / Math.max(1, days - 1) > 24 ? 22.6 : (WIDTH - 12) / days;
  const today = new Date().toISOString().slice(0, 10);
  const top = [...total].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  const label =
    most === 0
      ? `No cost in this month.`
      : `Cost by day. The highest is ${partialLong(`${month}-${String(top[0]).padStart(2, "0")}`)}, ${dollars(top[1])}.`;
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} 152`} role="img" aria-label={label}>
      <line className="ax" x1="0" y1={BASE + 0.5} x2={WIDTH} y2={BASE + 0.5} />
      {line > 0 ? (
        <>
          <line
            className="ax"
            x1="0"
            y1={Math.round(BASE - line * scale) + 0.5}
            x2={WIDTH}
            y2={Math.round(BASE - line * scale) + 0.5}
          />
          <text x={WIDTH} y={BASE - line * scale - 5} textAnchor="end">
            {dollars(line)}
          </text>
        </>
      ) : null}
      {Array.from({ length: days }, (_, index) => index + 1).map((day) => {
        const x = 2 + (day - 1) * step;
        const all = total.get(day) ?? 0;
        const slept = Math.min(all, dreams.get(day) ?? 0);
        const low = (all - slept) * scale;
        const high = slept * scale;
        return (
          <g key={day}>
            {low > 0 ? <rect className="b-chat" x={x} y={BASE - low} width="8" height={low} /> : null}
            {high > 0 ? (
              <rect className="b-dream" x={x} y={BASE - low - high - (low > 0 ? 1 : 0)} width="8" height={high} />
            ) : null}
            {`${month}-${String(day).padStart(2, "0")}` === today ? (
              <rect className="b-now" x={x} y={BASE + 3} width="8" height="2" />
            ) : null}
            {day % 7 === 1 ? (
              <text x={x} y={BASE + 16}>
                {day}
              </text>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}
