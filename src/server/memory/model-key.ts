// The user's own model endpoint: its address, its models, and its key, which rests sealed with the installation's secret and leaves only towards that address.
import { AppError } from "../../shared/errors.ts";
import type { ModelKeyBody, ModelKeyView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";
import { judgeAddress } from "./mirror-address.ts";
import { isOldSeal, openText, sealText, type Secrets } from "./secret-box.ts";

const PURPOSE = "model-key";

type Row = { url: string; sealed: string; chat_model: string; dream_model: string | null };
const rowOf = (sql: Sql): Row | null =>
  sql.exec<Row>("SELECT url, sealed, chat_model, dream_model FROM own_model").toArray()[0] ?? null;

/** An endpoint of the user's own, ready to be called. Never leaves the server. */
export interface OwnEndpoint {
  baseURL: string;
  apiKey: string;
  chatModel: string;
  dreamModel: string | null;
}

export function modelKeyView(sql: Sql, secrets: Secrets): ModelKeyView {
  const row = rowOf(sql);
  if (!row) return { url: null, chatModel: null, dreamModel: null, usable: false };
  return {
    url: row.url,
    chatModel: row.chat_model,
    dreamModel: row.dream_model,
    usable: openText(PURPOSE, row.sealed, secrets) !== null,
  };
}

/** Sets the endpoint. Throws `bad-format` for an address that leads into a network of ours, or without a key. */
export function setModelKey(sql: Sql, body: ModelKeyBody, { secrets, loopback }: { secrets: Secrets; loopback: boolean }): void {
  const judged = judgeAddress(body.url, { loopback, what: "endpoint" });
  if (!judged.ok) throw new AppError("bad-format", judged.message, { field: "url" });
  if (body.key !== undefined && /[^\x21-\x7e]/.test(body.key))
    throw new AppError("bad-format", "The key has a character that none has. Copy it again.", { field: "key" });
  const url = judged.url.href.replace(/\/+$/, "");
  const old = rowOf(sql);
  // A key goes to the server that it was given for and to no other.
  const kept = old !== null && new URL(old.url).origin === judged.url.origin ? openText(PURPOSE, old.sealed, secrets) : null;
  const key = body.key ?? kept;
  if (key === null) throw new AppError("bad-format", "An endpoint needs its key.", { field: "key" });
  sql.exec(
    "INSERT OR REPLACE INTO own_model (id, url, sealed, chat_model, dream_model) VALUES (1, ?, ?, ?, ?)",
    url,
    sealText(PURPOSE, key, secrets),
    body.chatModel.trim(),
    body.dreamModel?.trim() || null,
  );
}

export function dropModelKey(sql: Sql): void {
  // Its bytes first: a DELETE alone leaves them in the file.
  sql.exec("UPDATE own_model SET sealed = printf('%.*c', length(CAST(sealed AS BLOB)), 'x')");
  sql.exec("DELETE FROM own_model");
}

/** The endpoint with its key in the clear, or null where there is none. Seals it anew where it rests under an earlier secret. */
export function ownEndpoint(sql: Sql, secrets: Secrets): OwnEndpoint | null {
  const row = rowOf(sql);
  if (!row) return null;
  const apiKey = openText(PURPOSE, row.sealed, secrets);
  if (apiKey === null)
    throw new AppError(
      "unavailable",
      "Your own model key cannot be opened with this installation’s secret. Give it again in Settings, Models.",
    );
  if (isOldSeal(row.sealed, secrets)) sql.exec("UPDATE own_model SET sealed = ?", sealText(PURPOSE, apiKey, secrets));
  return { baseURL: row.url, apiKey, chatModel: row.chat_model, dreamModel: row.dream_model };
}
