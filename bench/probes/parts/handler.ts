/**
 * What a worker does for a small read, again and again in a process of its own, so that it can be profiled: the handler of the
 * reading workers with a root and the usual configuration. `read-parts.ts` starts it.
 */
import { ANSWER_BOUNDS, NEVER_CANCELLED } from "../../../src/base/index.ts";
import { createReadHandler, type WorkerConfig } from "../../../src/jobs/index.ts";
import { builtinTools } from "../../../src/packs/index.ts";

const [, , root = "", path = "", calls = "0"] = process.argv;
const config: WorkerConfig = {
  scope: { roots: [{ path: root, readOnly: false }], deny: [], hidden: [], containment: "auto" },
  rootFds: [],
  stateDir: `${root}-state`,
  policy: { rules: [], configFiles: [], ask: "both", redactionKey: Buffer.alloc(32, 1).toString("base64") },
  durability: "full",
  undo: { maxBytes: 1, maxAgeMs: 1 },
  skip: [],
  answers: ANSWER_BOUNDS,
  facts: {
    version: "",
    platform: "",
    runtime: "",
    mode: "default",
    results: "text",
    answerBytes: ANSWER_BOUNDS.usualBytes,
    durability: "full",
    roots: [{ path: root, access: "read-write" }],
    fence: "none",
  },
};
const handle = createReadHandler(JSON.stringify(config), builtinTools);
const job = {
  cancel: NEVER_CANCELLED,
  deadlineMs: Infinity,
  progress: (): void => undefined,
  share: async (): Promise<undefined> => undefined,
  outside: async (): Promise<undefined> => undefined,
  tidy: (): void => undefined,
};
const input = JSON.stringify({ path });
for (let at = 0; at < Number(calls); at++) await handle("tool:read_file", input, job);
const { user, system } = process.cpuUsage();
console.log(user + system);
