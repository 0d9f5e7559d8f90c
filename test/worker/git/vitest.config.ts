// Runs the tests of the git room alone, without the app: npx vitest run --config test/worker/git/vitest.config.ts
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../../src/server/worker.config.ts";

export default defineConfig({
  plugins: [
    cloudflareTest({
      main: "./test/worker/git/fixture-worker.ts",
      miniflare: {
        compatibilityDate: COMPATIBILITY_DATE,
        compatibilityFlags: COMPATIBILITY_FLAGS,
        durableObjects: { REPOSITORY: { className: "Repository", useSQLite: true } },
      },
    }),
  ],
  test: { name: "git", include: ["test/worker/git/**/*.test.ts"], testTimeout: 60_000 },
});
