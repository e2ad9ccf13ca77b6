/**
 * Preloaded by every test file (`bunfig.toml`): where the gate has bundled the workers and the launcher
 * (`scripts/gate/bundle-workers.ts`), the hosts of tests start those. The program itself has no such way, because what decides which code it starts decides what it is.
 */
import { readFileSync } from "node:fs";
import { plugin } from "bun";

/** Where a source says which file is started. */
const STARTED = /\.\.\/\.\.\/workers\/(\$\{entry\}|launcher)\.ts/;

const folder = process.env["RINGFENCE_TEST_WORKERS"];
if (folder !== undefined)
  plugin({
    name: "bundled workers",
    setup(build) {
      build.onLoad({ filter: /\/src\/(?:pool\/worker-slot|start\/plan-launcher)\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        if (!STARTED.test(source)) throw new Error(`Cannot have bundled workers started: ${path} names none`);
        return { contents: source.replace(STARTED, `file://${folder}/$1.js`), loader: "ts" };
      });
    },
  });
