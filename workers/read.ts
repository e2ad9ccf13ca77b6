/**
 * Worker entry: everything that reads or searches. Nothing here but the connection of the port to the handler. The tools come from their
 * own list and not from the face of `packs`, with which all other tools would be loaded.
 */
import { createReadHandler } from "../src/jobs/index.ts";
import { serveJobs } from "../src/pool/index.ts";
import { shouldRecycleEngine } from "../src/search/index.ts";
import { workerTools } from "../src/packs/worker-tools.ts";

declare const self: Parameters<typeof serveJobs>[0];

serveJobs(self, (config) => createReadHandler(config, workerTools), {
  inTurns: true,
  isWorn: shouldRecycleEngine,
});
