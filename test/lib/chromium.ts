// Finds a Chromium for the browser tests: the system's, else the one that a package ships. None found is a failure, not a skip.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];
/** A browser that asks nobody outside for anything. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-color-profile=srgb",
];

/** The path of the Chromium that will be used, or an error that says what to install. */
export async function chromiumPath(): Promise<string> {
  const set = process.env.CHROMIUM_PATH;
  if (set) {
    if (!existsSync(set)) throw new Error(`CHROMIUM_PATH is ${set}, and there is no such file.`);
    return set;
  }
  const system = SYSTEM.find((path) => existsSync(path));
  if (system) return system;
  const { default: shipped } = await import("@sparticuz/chromium");
  const path = await shipped.executablePath();
  if (!existsSync(path)) throw new Error("No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH.");
  return path;
}

/** Opens the browser. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromiumPath();
  const shipped = executablePath.includes("/tmp/") ? (await import("@sparticuz/chromium")).default.args : [];
  return chromium.launch({
    executablePath,
    headless: true,
    args: [...ARGS, ...shipped.filter((arg) => arg !== "--single-process")],
  });
}
