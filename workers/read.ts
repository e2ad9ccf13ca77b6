/**
 * Worker entry: everything that reads or searches. Nothing here but the connection of the port to the handler.
 */
import { createReadHandler } from "../src/jobs/index.ts";
import { serveJobs } from "../src/pool/index.ts";
import { shouldRecycleEngine } from "../src/search/index.ts";
import { builtinTools, memoryReads } from "../src/packs/index.ts";

declare const self: Parameters<typeof serveJobs>[0];

serveJobs(self, (config) => createReadHandler(config, [...builtinTools, ...memoryReads]), {
  inTurns: true,
  isWorn: shouldRecycleEngine,
});
