import { cloudflareTest } from "@cloudflare/vitest-plugin";
import agents from "agents/vite";
import { defineConfig } from "vitest/config";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS, DURABLE_OBJECTS } from "./src/server/worker.config.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        plugins: [
          agents(),
          cloudflareTest({
            main: "./src/server/index.ts",
            miniflare: {
              compatibilityDate: COMPATIBILITY_DATE,
              compatibilityFlags: COMPATIBILITY_FLAGS,
              durableObjects: Object.fromEntries(
                DURABLE_OBJECTS.map((name) => [name, { className: name, useSQLite: true }]),
              ),
            },
          }),
        ],
        test: { name: "worker", include: ["test/worker/**/*.test.ts"], testTimeout: 60_000 },
      },
    ],
  },
});
