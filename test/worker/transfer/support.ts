// What the tests of archives share: an archive brought in and looked through, applied, and the export.
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { call } from "../memory/support.ts";

/** Sends an archive; its preview, or the refusal. */
export async function bring(archive: Uint8Array, kind = ""): Promise<any> {
  const headers = { "Content-Type": "application/zip" };
  const begun = await call("POST", `/api/import${kind === "" ? "" : `?kind=${kind}`}`, archive, headers);
  if (begun.status !== 202) return begun.body;
  for (;;) {
    const { body } = await call("GET", `/api/imports/${begun.body.id}`);
    if (body.status !== "reading") return body;
  }
}

/** Lands a previewed import. */
export async function apply(id: string, passphrase?: string): Promise<any> {
  const { body, status } = await call("POST", `/api/imports/${id}/apply`, passphrase === undefined ? {} : { passphrase });
  return status === 202 ? (await call("GET", `/api/imports/${id}`)).body : body;
}

/** The export of the memory. */
export async function exported(passphrase?: string): Promise<Uint8Array> {
  const response = await exports.default.fetch(
    new Request("http://localhost:4321/api/export", { method: "POST", body: JSON.stringify(passphrase ? { passphrase } : {}) }),
  );
  expect(response.headers.get("Content-Type")).toBe("application/zip");
  return new Uint8Array(await response.arrayBuffer());
}
