/** The reading side of `promises.ts` where it has a pool: as `workers/read.ts`. */
import { createReadHandler } from "../../../src/jobs/index.ts";
import { workerTools } from "../../../src/packs/worker-tools.ts";
import { serveJobs } from "../../../src/pool/index.ts";

declare const self: Parameters<typeof serveJobs>[0];

serveJobs(self, (config) => createReadHandler(config, workerTools), { inTurns: true });
