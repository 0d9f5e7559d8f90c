// A data folder belongs to one process: two would write the same database. Owns the lock file.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** How long a runtime whose process was killed may take to end, in milliseconds. */
const ENDING_MS = 5_000;

/** Whether the processes that a lock names are gone; a runtime that its guard is about to end is waited for. */
async function abandoned([pid, runtime]) {
  if (pid && pid !== process.pid && alive(pid)) return false;
  for (const end = Date.now() + ENDING_MS; runtime && alive(runtime);) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/**
 * Takes the lock of a data folder; a lock whose processes are gone is taken over. The file holds this process and, once it runs, the runtime.
 * @param {string} folder
 * @returns {Promise<{ runtime: (pid: number) => void, release: () => void }>} `release` gives it back
 */
export async function lockFolder(folder) {
  const file = join(folder, "lock");
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = openSync(file, "wx");
      writeSync(handle, String(process.pid));
      closeSync(handle);
      const release = () => rmSync(file, { force: true });
      process.once("exit", release);
      return { runtime: (pid) => writeFileSync(file, `${process.pid} ${pid}`), release };
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const pids = readFileSync(file, "utf8").split(" ").map(Number);
      if (!(await abandoned(pids)))
        throw new Error(
          `The data folder ${folder} is in use by another Reverie (process ${pids[0]}). Stop that one, or set REVERIE_DATA to another folder.`,
        );
      rmSync(file, { force: true });
    }
  }
  throw new Error(`The data folder ${folder} could not be locked.`);
}
