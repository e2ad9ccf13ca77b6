/**
 * What is on disk of the record at the moment when somebody could notice a call: an answer that leaves, code of a tool that
 * runs in this thread, a program of a hook that starts. Read from the files themselves, without asking the host for them.
 */
import { expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { builtinTools } from "../../src/packs/index.ts";
import { defineLocalTool, defineTool } from "../../src/contract/index.ts";
import { openTestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

function eventsIn(stateDir: string): string[] {
  const folder = join(stateDir, "audit");
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly event: string }).event),
  );
}

const LED_TO_IT = ["proposed", "decided", "started"];
const input = z.strictObject({});

test("the end of every call is on disk before its answer is written", async () => {
  let answers = 0;
  const behind: string[] = [];
  await using host = openTestHost({
    files: { "a.txt": "one\n" },
    onWrite(text) {
      answers += text.split("\n").length - 1;
      const ended = eventsIn(host.stateDir).filter((event) => event === "completed" || event === "failed");
      if (ended.length < answers) behind.push(`${answers} answers, ${ended.length} ends`);
    },
  });
  const paths = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? "none.txt" : "a.txt"));
  await Promise.all(paths.map(async (path) => await host.call("read_file", { path })));
  expect([answers, behind]).toEqual([40, []]);
});

test("what leads to it is on disk before a tool of this thread plans, previews or runs", async () => {
  const seen: Record<string, string[]> = {};
  const look = (when: string): void => void (seen[when] = eventsIn(host.stateDir).slice(-3));
  const local = defineLocalTool({
    name: "local_change",
    description: "Changes something.",
    input,
    mutates: true,
    plan: () => {
      look("preview");
      return { summary: "It changes something", paths: [] };
    },
    execute: () => look("execute"),
  });
  const planned = defineTool({
    name: "planned_change",
    title: "Planned",
    summary: "Plans a change.",
    effect: "change",
    input: () => input,
    output: () => z.looseObject({}),
    access: () => [{ path: "b.txt", mode: "write" as const }],
    plan: () => {
      look("plan");
      return { changes: [{ op: "write" as const, path: "b.txt", content: "b\n", overwrite: true }] };
    },
  });
  await using host = openTestHost({ tools: [...builtinTools, local, planned] });
  await host.call("planned_change", {});
  expect(seen["plan"]).toEqual(LED_TO_IT);
  const asked = await host.call("local_change", {});
  expect(seen["preview"]).toEqual(LED_TO_IT);
  await host.apply(asked);
  expect(seen["execute"]?.at(-1)).toBe("approved");
});

test("a call is on disk when the program of a hook is started, and its end when the one is that is told of it", async () => {
  const hook = ["/bin/sh", "-c", "echo {}"];
  const seen: string[][] = [];
  await using host = openTestHost({
    files: { "a.txt": "one\n" },
    config: { hooks: [{ tool: "read_file", before: hook, after: hook }] },
  });
  const spawn = Bun.spawn.bind(Bun);
  const look = (...started: Parameters<typeof Bun.spawn>): ReturnType<typeof Bun.spawn> => {
    seen.push(eventsIn(host.stateDir));
    return spawn(...started);
  };
  const spy = spyOn(Bun, "spawn").mockImplementation(look as typeof Bun.spawn);
  try {
    await host.call("read_file", { path: "a.txt" });
    await until("the hook that is told", () => seen.length === 2);
  } finally {
    spy.mockRestore();
  }
  expect(seen.map((events) => events.at(-1))).toEqual(["proposed", "completed"]);
});
