// Sends an archive and hears how far it is: fetch tells nothing of what has gone out.
import type { ImportView } from "../../shared/protocol.ts";
import { Trouble } from "../lib/api.ts";

/** Sends a file. `told` hears the bytes that have gone out. */
export function sendArchive(file: Blob, told: (sent: number) => void, signal: AbortSignal): Promise<ImportView> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/import");
    request.setRequestHeader("Content-Type", "application/zip");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => told(event.loaded));
    request.addEventListener("load", () => {
      const body = request.response as (ImportView & { error?: { code: string; message: string } }) | null;
      if (request.status === 202 && body) resolve(body);
      else
        reject(
          body?.error
            ? new Trouble(body.error.code, body.error.message, {}, request.status)
            : new Trouble(
                "broken",
                "The server did not say what it made of the archive. Nothing was changed.",
                {},
                request.status,
              ),
        );
    });
    request.addEventListener("error", () =>
      reject(new Trouble("offline", "The line broke while the archive was sent. Nothing was changed.")),
    );
    request.addEventListener("abort", () => reject(new Trouble("stopped", "Stopped. Nothing was changed.")));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** Asks for the export and hands it to the browser as a file. */
export async function takeExport(passphrase: string): Promise<void> {
  let response: Response;
  try {
    response = await fetch("/api/export", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(passphrase === "" ? {} : { passphrase }),
    });
  } catch {
    throw new Trouble("offline", "The server cannot be reached. Nothing was made.");
  }
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { error?: { code: string; message: string } } | null;
    throw new Trouble(
      body?.error?.code ?? "broken",
      body?.error?.message ?? "The archive could not be made.",
      {},
      response.status,
    );
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "reverie.zip";
  let blob: Blob;
  try {
    blob = await response.blob();
  } catch {
    throw new Trouble("offline", "The archive broke off before its end. Ask for it again.");
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
