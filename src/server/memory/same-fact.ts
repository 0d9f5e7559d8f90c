// Whether a fact stands already: the same words about the same subject, in the same scope, on the same day.
import { metaValue, setMetaFields } from "../../shared/entry.ts";
import { replaceEntry } from "../../shared/edit-document.ts";
import { parseDocument } from "../../shared/document.ts";
import { normalText } from "../../shared/normal.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { isClosedEntry } from "./entry-diff.ts";
import { nameKey } from "./entry-row.ts";
import { isForgottenName } from "./gate-files.ts";
import type { Wanted } from "./plans.ts";
import { subjectKey } from "./project.ts";

/** The subject of a file in the draft, also of one that does not stand yet. */
export function subjectOfPath(draft: Draft, path: string): string {
  return subjectKey(path, draft.document(path) ?? parseDocument(""));
}

/** The id of the entry that says the same already and has not ended; null where none does. A line without an id gets one. */
export function sameFact(ctx: Pick<MemoryContext, "sql">, draft: Draft, path: string, wanted: Wanted, newId: () => string): string | null {
  const name = normalText(wanted.text);
  const subject = subjectOfPath(draft, path);
  const paths = new Set(draft.touchedPaths());
  for (const row of ctx.sql.exec<{ path: string }>("SELECT DISTINCT path FROM entries WHERE name = ?", nameKey(wanted.text))) paths.add(row.path);
  for (const other of paths) {
    if (isForgottenName(other) || (other !== path && subjectOfPath(draft, other) !== subject)) continue;
    const document = draft.document(other);
    const found = document?.entries.find(
      (entry) =>
        normalText(entry.text) === name &&
        !isClosedEntry(entry) &&
        (metaValue(entry.meta, "scope") ?? "") === (wanted.scope ?? "") &&
        (metaValue(entry.meta, "on") ?? "") === (wanted.on ?? ""),
    );
    if (!document || !found) continue;
    const id = metaValue(found.meta, "id");
    if (id !== undefined) return id;
    const given = newId();
    draft.put(other, replaceEntry(document, found.line, { meta: setMetaFields(found.meta, { id: given }) }));
    return given;
  }
  return null;
}
