// `npm test`: every test there is, in one run; ends with the counts. Extra words go to vitest (`npm test -- rebase`).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "reverie-test-"));
const report = join(folder, "report.json");
const run = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: "inherit" },
);
let passed = 0;
let failed = 0;
try {
  const result = JSON.parse(readFileSync(report, "utf8"));
  passed = result.numPassedTests;
  // A file that does not load fails without a test of its own; it must not vanish from the count.
  const unloaded = result.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  failed = result.numFailedTests + unloaded;
} catch {
  failed = 1;
}
rmSync(folder, { recursive: true, force: true });
if (run.status !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
