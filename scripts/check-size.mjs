// Checks what a browser loads before the first screen: at most 230 KB of script and style (gzip) and 200 KB of fonts (conventions, Libraries).
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const CODE_MAX_BYTES = 230 * 1024;
const FONT_MAX_BYTES = 200 * 1024;
const client = "dist/client";

if (!existsSync(join(client, "index.html"))) {
  console.error("There is no build to weigh. Run `npm run build` first.");
  process.exit(1);
}
const html = readFileSync(join(client, "index.html"), "utf8");
const linked = (pattern) => [...html.matchAll(pattern)].map((m) => join(client, m[1]));
const code = new Set([
  ...linked(/<script[^>]+src="([^"]+)"/g),
  ...linked(/<link[^>]+rel="(?:stylesheet|modulepreload)"[^>]*href="([^"]+)"/g),
]);
const fonts = linked(/<link[^>]+rel="preload"[^>]*href="([^"]+\.woff2)"/g);
const codeBytes = [...code].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
const fontBytes = fonts.reduce((sum, file) => sum + statSync(file).size, 0);
console.log(
  `First load: ${(codeBytes / 1024).toFixed(0)} KB of script and style (gzip, at most 230), ${(fontBytes / 1024).toFixed(0)} KB of fonts preloaded (at most 200).`,
);
if (codeBytes > CODE_MAX_BYTES || fontBytes > FONT_MAX_BYTES) process.exit(1);
