/** What the handler of the reading workers is made from where a probe calls it: one root, and the usual configuration. */
import { ANSWER_BOUNDS, NEVER_CANCELLED } from "../../../src/base/index.ts";
import type { WorkerConfig } from "../../../src/jobs/index.ts";
import type { JobContext } from "../../../src/pool/index.ts";

export function readingConfig(root: string): WorkerConfig {
  return {
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
}

/** A job that nobody cancels, and that does everything itself. */
export const READING_JOB: JobContext = {
  cancel: NEVER_CANCELLED,
  deadlineMs: Infinity,
  progress: (): void => undefined,
  share: async (): Promise<undefined> => undefined,
  outside: async (): Promise<undefined> => undefined,
  tidy: (): void => undefined,
};
