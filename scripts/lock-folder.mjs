// A data folder belongs to one process: two would write the same database. Owns the lock file.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Takes the lock of a data folder; a lock whose process is gone is taken over.
 * @param {string} folder
 * @returns {() => void} gives it back
 */
export function lockFolder(folder) {
  const file = join(folder, "lock");
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = openSync(file, "wx");
      writeSync(handle, String(process.pid));
      closeSync(handle);
      const unlock = () => rmSync(file, { force: true });
      process.once("exit", unlock);
      return unlock;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const pid = Number(readFileSync(file, "utf8"));
      if (pid && pid !== process.pid && alive(pid))
        throw new Error(
          `The data folder ${folder} is in use by another Reverie (process ${pid}). Stop that one, or set REVERIE_DATA to another folder.`,
        );
      rmSync(file, { force: true });
    }
  }
  throw new Error(`The data folder ${folder} could not be locked.`);
}
