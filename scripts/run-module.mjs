// Runs a TypeScript module that belongs to no test and no build, such as a bench in a browser or the maker of the pictures.
import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";

/** Builds the app where there is no build, then runs the module; its exit code is ours. */
export function runModule(path) {
  if (!existsSync("dist/reverie")) {
    const build = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
      stdio: "inherit",
    });
    if (build.status !== 0) process.exit(build.status ?? 1);
  }
  const code = `import("vite").then(({ runnerImport }) => runnerImport(${JSON.stringify(`./${path}`)}))`;
  const run = spawnSync(process.execPath, ["-e", code], { stdio: "inherit" });
  process.exit(run.status ?? 1);
}
