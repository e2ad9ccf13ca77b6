/**
 * A proposal that was changed in the state folder is not applied: not another path, not another content.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

let host: TestHost;
let folder = "";

beforeEach(() => {
  host = openTestHost({});
  folder = join(host.top, "state", "proposals");
  writeFileSync(join(host.root, "a.txt"), "alpha\n");
  writeFileSync(join(host.root, "b.txt"), "bravo\n");
});
afterEach(async () => await host[Symbol.asyncDispose]());

async function propose(): Promise<string> {
  const { proposal } = await host.call("write_file", { path: "a.txt", content: "beta\n" });
  return String((proposal as Json).id);
}

async function applied(id: string): Promise<string> {
  return JSON.stringify(await host.request("ringfence/proposals/apply", { id }));
}

function forge(change: (proposal: Json) => void): void {
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".json"));
  const proposal = JSON.parse(readFileSync(join(folder, name), "utf8"));
  change(proposal);
  writeFileSync(join(folder, name), JSON.stringify(proposal));
}

test("another path", async () => {
  const id = await propose();
  forge(({ sealed }) => (sealed.steps[0].at.rel = "b.txt"));
  expect(await applied(id)).toContain("which it does not show");
  expect(readFileSync(join(host.root, "b.txt"), "utf8")).toBe("bravo\n");
});

test("another content", async () => {
  const id = await propose();
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".bin"));
  writeFileSync(join(folder, name), "evil\n");
  expect(await applied(id)).toContain("is not what it shows");
  expect(readFileSync(join(host.root, "a.txt"), "utf8")).toBe("alpha\n");
});
