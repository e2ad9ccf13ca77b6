/**
 * Worker entry: the colours of what a review shows. Nothing here but the connection of the port to the handler.
 */
import { serveJobs } from "../src/pool/index.ts";
import { createColorHandler } from "../src/page/index.ts";

declare const self: Parameters<typeof serveJobs>[0];

serveJobs(self, () => createColorHandler());
