import { cloudflareTest } from "@cloudflare/vitest-plugin";
import agents from "agents/vite";
import { defineConfig } from "vitest/config";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS, DURABLE_OBJECTS } from "./src/server/worker.config.ts";

/** Tests of hosted mode run with the variables that make it one. */
const HOSTED = {
  AUTH_SECRET: "a secret of the tests, thirty-two chars",
  SIGN_UP: "open",
  MIRROR_LOOPBACK: "yes",
  INSTALLATION_CAP_USD: "1",
  CAP_USD: "2",
};

const workerPool = (bindings: Record<string, string> = {}) => [
  agents(),
  cloudflareTest({
    main: "./src/server/index.ts",
    miniflare: {
      compatibilityDate: COMPATIBILITY_DATE,
      compatibilityFlags: COMPATIBILITY_FLAGS,
      // The tests inside the runtime see no environment of the process but what is bound.
      bindings: { ...(process.env.SOAK ? { SOAK: "yes" } : {}), ...bindings },
      durableObjects: Object.fromEntries(DURABLE_OBJECTS.map((name) => [name, { className: name, useSQLite: true }])),
    },
  }),
];

/** `npm run bench` sets BENCH, so that numbers are measured alone and never in `npm test`. */
const projects = process.env.BENCH
  ? [
      {
        plugins: workerPool(),
        test: { name: "bench", include: ["bench/**/*.bench.test.ts"], testTimeout: 1_800_000, hookTimeout: 1_800_000 },
      },
      {
        // Those that need native programs in front of the built app.
        test: {
          name: "native",
          include: ["bench/**/*.native.test.ts"],
          globalSetup: ["./test/lib/build.ts"],
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      },
    ]
  : [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
          testTimeout: 60_000,
          // Pure rules share nothing that a test could leave behind, and loading them once is most of the time.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: workerPool(),
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          exclude: ["test/worker/auth/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: workerPool(HOSTED),
        test: {
          name: "hosted",
          include: ["test/worker/auth/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["./test/lib/build.ts"],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./test/lib/build.ts"],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ];

export default defineConfig({
  // A line for each request of hosted mode would bury what the tests print.
  test: { projects, reporters: ["default"], onConsoleLog: (line) => !line.includes('"what":"request"') },
});
