import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import agents from "agents/vite";
import { defineConfig } from "vite";
import { workerConfig, workerVars } from "./src/server/worker.config.ts";

// Asks nobody outside for a sample `cf` object, and serves no explorer of all state.
process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
process.env.X_LOCAL_EXPLORER ??= "false";

export default defineConfig(({ command, isPreview }) => ({
  plugins: [
    react(),
    tailwindcss(),
    agents(),
    cloudflare({
      // A build never bakes variables in: `npm start` hands them over when it serves.
      config: workerConfig(command === "build" && !isPreview ? {} : workerVars(process.env)),
      persistState: { path: process.env.REVERIE_DATA ?? ".reverie" },
      inspectorPort: false,
      remoteBindings: false,
    }),
  ],
  server: { host: "127.0.0.1", port: 5173 },
  build: { target: "es2022", sourcemap: false },
}));
