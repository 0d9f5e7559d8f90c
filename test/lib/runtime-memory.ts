// What the runtime below an app's process holds, as Linux reports it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Resident memory in MB: now, and at its peak since this was asked before; CPU time in ms since its start. */
export interface RuntimeMemory {
  now: number;
  peak: number;
  cpu: number;
}

/** Kernel ticks a second, as Linux reports CPU time. */
const TICKS = 100;

function statusOf(pid: string): { name: string; parent: string; text: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return { name: /^Name:\t(.*)$/m.exec(text)![1]!, parent: /^PPid:\t(\d+)$/m.exec(text)![1]!, text };
  } catch {
    return null; // it ended meanwhile
  }
}

/** The memory of the runtime somewhere below a process. Throws where there is none. */
export function runtimeMemory(ancestor: number): RuntimeMemory {
  const isBelow = (pid: string): boolean => {
    for (let at = statusOf(pid); at !== null && at.parent !== "0"; at = statusOf(at.parent))
      if (at.parent === String(ancestor)) return true;
    return false;
  };
  const pid = readdirSync("/proc").find((one) => /^\d+$/.test(one) && statusOf(one)?.name === "workerd" && isBelow(one));
  const status = pid === undefined ? null : statusOf(pid);
  if (pid === undefined || status === null) throw new Error("There is no runtime below that process.");
  const megabytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status.text)![1]) / 1024;
  const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  const cpu = ((Number(ticks[11]) + Number(ticks[12])) * 1000) / TICKS;
  // proc(5): 5 resets the peak to what is resident now.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM"), cpu };
}
