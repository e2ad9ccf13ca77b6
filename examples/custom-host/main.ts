/**
 * A host of one's own: the built-in tools, and two more. Compiled by the build script of this repository, so it has the
 * same workers and the same patched runtime:
 *
 *     npm run build -- --entry=examples/custom-host/main.ts --out=dist/custom-host
 *     dist/custom-host DIR...
 *
 * Usual mistake: to write to stdout. It carries the protocol; what a person should read goes to stderr.
 */
import { builtinTools, Failure, runHost } from "ringfence";
import { outlineMarkdown } from "./outline-markdown.ts";
import { renameInPlace } from "./rename-in-place.ts";

const roots = process.argv.slice(2);
try {
  await runHost({ roots, tools: [...builtinTools, outlineMarkdown, renameInPlace] });
} catch (thrown) {
  if (!(thrown instanceof Failure)) throw thrown;
  process.stderr.write(`custom-host: ${thrown.message}\nUsage: custom-host DIR...\n`);
  process.exitCode = 2;
}
