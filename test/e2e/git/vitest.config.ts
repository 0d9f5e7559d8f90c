// Runs the tests of the git door alone, without building the app: npx vitest run --config test/e2e/git/vitest.config.ts
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "git-door", include: ["test/e2e/git/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 120_000 },
});
