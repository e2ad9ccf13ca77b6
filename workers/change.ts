/**
 * Worker entry: the one thread that changes files. Nothing here but the connection of the port to the handler.
 */
import { createChangeHandler } from "../src/jobs/index.ts";
import { serveJobs } from "../src/pool/index.ts";

declare const self: Parameters<typeof serveJobs>[0];

serveJobs(self, createChangeHandler);
