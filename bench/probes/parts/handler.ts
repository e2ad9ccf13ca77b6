/**
 * What a worker does for a small read, again and again in a process of its own, so that it can be profiled: the handler of the
 * reading workers with a root and the usual configuration. `read-parts.ts` starts it.
 */
import { createReadHandler } from "../../../src/jobs/index.ts";
import { builtinTools } from "../../../src/packs/index.ts";
import { READING_JOB, readingConfig } from "./reading.ts";

const [, , root = "", path = "", calls = "0"] = process.argv;
const handle = createReadHandler(JSON.stringify(readingConfig(root)), builtinTools);
const input = JSON.stringify({ path });
for (let at = 0; at < Number(calls); at++) await handle("tool:read_file", input, READING_JOB);
const { user, system } = process.cpuUsage();
console.log(user + system);
