// A unified diff as rows with their line numbers. Pure.
export interface PatchLine {
  kind: "same" | "plus" | "minus" | "gap";
  old: number | null;
  new: number | null;
  text: string;
}

/** Reads the hunks of one file's patch; its head lines are left out. */
export function readPatch(patch: string): PatchLine[] {
  const rows: PatchLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      if (inside) rows.push({ kind: "gap", old: null, new: null, text: "" });
      inside = true;
    } else if (!inside || line.startsWith("\\")) continue;
    else if (line.startsWith("+")) rows.push({ kind: "plus", old: null, new: after++, text: line.slice(1) });
    else if (line.startsWith("-")) rows.push({ kind: "minus", old: before++, new: null, text: line.slice(1) });
    else rows.push({ kind: "same", old: before++, new: after++, text: line.slice(1) });
  }
  return rows;
}
