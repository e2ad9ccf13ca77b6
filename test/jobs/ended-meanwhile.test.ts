/**
 * A proposal that another host ends while this one looks at it: it is left out of the list, and nobody is told that somebody
 * had forged it.
 */
import { expect, test } from "bun:test";
import { ANSWER_BOUNDS, listenToLog, NEVER_CANCELLED } from "../../src/base/index.ts";
import { openBench } from "../../src/jobs/change/change-bench.ts";
import { listProposals } from "../../src/jobs/proposal/list-proposals.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

function benchOf({ root, stateDir }: TestHost): ReturnType<typeof openBench> {
  return openBench({
    scope: { roots: [{ path: root, readOnly: false }], deny: [], hidden: [], containment: "auto" },
    rootFds: [],
    stateDir,
    policy: { rules: [], configFiles: [], ask: "both" },
    durability: "fast",
    undo: { maxBytes: 1, maxAgeMs: 1 },
    skip: [],
    answers: ANSWER_BOUNDS,
    facts: {
      version: "0.0.0",
      platform: "linux-x64",
      runtime: "",
      mode: "default",
      results: "text",
      answerBytes: ANSWER_BOUNDS.usualBytes,
      durability: "fast",
      roots: [{ path: root, access: "read-write" }],
      fence: "none",
    },
  });
}

test("a proposal that is ended while it is looked at is left out of the list, without a word", async () => {
  await using host = openTestHost({ files: { "a.txt": "alpha\n", "b.txt": "bravo\n" } });
  const first = await host.call("write_file", { path: "a.txt", content: "beta\n" });
  const second = await host.call("write_file", { path: "b.txt", content: "beta\n" });
  const [bench, other] = [benchOf(host), benchOf(host)];
  const { store } = bench;
  const content = store.content.bind(store);
  store.content = (id, index) => {
    if (id === first.proposal?.id) other.store.end({ id, outcome: "rejected", at: 0 });
    return content(id, index);
  };
  const log: string[] = [];
  using _listening = listenToLog((text) => log.push(text));
  const job = {
    cancel: NEVER_CANCELLED,
    deadlineMs: Infinity,
    progress: () => undefined,
    share: async () => undefined,
    outside: async () => undefined,
    tidy: () => undefined,
  };
  const listed = listProposals({ check: true }, bench, job);
  expect(listed.map(({ id }) => id)).toEqual([second.proposal?.id ?? ""]);
  expect(log).toEqual([]);
});
