// What MEMORY weighs: the tokens that stand in every prompt, at the start of the last weeks and now, under their budget.
import { api } from "../lib/api.ts";
import { addDays, partial, today } from "../lib/dates.ts";
import { useResource } from "../lib/resource.ts";
import { figures, grouped } from "../lib/words.ts";

const WIDTH = 728;
/** Days back that are looked at, besides today: enough for a line, few enough for a page. */
const DAYS_BACK = [56, 42, 28, 21, 14, 7, 3];

async function weigh(signal: AbortSignal): Promise<{ day: string; tokens: number }[]> {
  const now = today();
  const points = await Promise.all(
    [...DAYS_BACK.map((back) => addDays(now, -back)), now].map(async (day) => {
      const clocks = day === now ? {} : { knownAt: day };
      const { files } = await api.memory(clocks, signal);
      if (!files.some((one) => one.path === "MEMORY.md")) return null;
      const file = await api.file("MEMORY.md", clocks, signal).catch(() => null);
      return file ? { day, tokens: file.tokens } : null;
    }),
  );
  return points.filter((point) => point !== null);
}

export function WeightChart({ budget }: { budget: number }) {
  const { data } = useResource("file:MEMORY.md:weight", weigh);
  if (!data || data.length === 0) return null;
  const first = data[0] as { day: string; tokens: number };
  const last = data[data.length - 1] as { day: string; tokens: number };
  const most = Math.max(budget, ...data.map((point) => point.tokens)) * 1.04;
  const start = Date.parse(first.day);
  const span = Math.max(1, Date.parse(last.day) - start);
  const x = (day: string) => (data.length === 1 ? WIDTH - 4 : ((Date.parse(day) - start) / span) * (WIDTH - 4));
  const y = (tokens: number) => 80 - (tokens / most) * 70;
  return (
    <>
      <h2 className="section">What the memory weighs</h2>
      <svg
        className="chart"
        viewBox={`0 0 ${WIDTH} 88`}
        role="img"
        aria-label={`Tokens in MEMORY: ${grouped(first.tokens)} on ${partial(first.day)}, ${grouped(last.tokens)} now, of a budget of about ${grouped(budget)}.`}
      >
        <line className="cap" x1="0" y1={y(budget)} x2={WIDTH} y2={y(budget)} />
        <text x={WIDTH} y={y(budget) - 4} textAnchor="end">
          budget
        </text>
        <path
          d={data.map((point, at) => `${at === 0 ? "M" : "L"}${x(point.day).toFixed(1)} ${y(point.tokens).toFixed(1)}`).join(" ")}
          fill="none"
          stroke="var(--ink-2)"
          strokeWidth="1.25"
        />
        <circle cx={x(last.day)} cy={y(last.tokens)} r="3" fill="var(--dawn)" />
        <line className="ax" x1="0" y1="80.5" x2={WIDTH} y2="80.5" />
      </svg>
      <p className="meta" style={{ display: "flex", justifyContent: "space-between" }}>
        <span>
          {figures(first.tokens, "token")} on {partial(first.day)}
        </span>
        <span>{grouped(last.tokens)} now</span>
      </p>
    </>
  );
}
