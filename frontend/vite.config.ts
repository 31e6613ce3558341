import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import packaged from "../package.json" with { type: "json" };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  // Relative addresses: the page also works under a sub-path of somebody's server.
  base: "./",
  define: { __UNROLLED__: JSON.stringify(packaged.version) },
  build: {
    outDir: here("../static"),
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy forbids inline scripts, styles and data: other than images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    proxy: { "/api": "http://127.0.0.1:8000" },
  },
  test: {
    // The files that draw ask for jsdom themselves: it takes seconds to start.
    environment: "node",
    include: ["tests/**/*.test.ts"],
    // One worker for all files, one jsdom: to start them anew for each file is more work than all
    // the tests together, and `make test` has other parts for the other cores.
    maxWorkers: 1,
    isolate: false,
    restoreMocks: true,
    // A busy machine is no failure: the whole suite takes seconds on an idle one.
    testTimeout: 60_000,
  },
});
