/**
 * `ringfence report`: two hosts of two clients, people who apply and reject from another process, and the numbers that the record
 * gives of it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, proposalOf, ServeProcess } from "../../binary/serve-process.ts";
import { runRingfence, type CliResult } from "../run-ringfence.ts";

let place: Place;
const other = (): string => join(place.path, "other");

async function run(...args: readonly string[]): Promise<CliResult> {
  return await runRingfence(place, [...args, "--state-dir", place.stateDir]);
}

async function ask(host: ServeProcess, id: number, path: string): Promise<string> {
  host.call(id, "append_file", { path, content: "more\n" });
  const { id: proposal, digest } = proposalOf(await host.answer(id));
  return `${proposal}@${digest}`;
}

async function open(name: string, root: string): Promise<ServeProcess> {
  const command = ["serve", "--root", root, "--state-dir", place.stateDir, "--baseline=if_known"];
  const host = await ServeProcess.start(place, { command });
  const clientInfo = { name, version: "1" };
  await host.ask("hello", "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return host;
}

beforeAll(async () => {
  place = new Place();
  mkdirSync(join(place.root, "notes", "in"), { recursive: true });
  mkdirSync(other());
  for (const name of ["in/a.md", "in/b.md", "c.md"]) writeFileSync(join(place.root, "notes", name), "x\n");
  writeFileSync(join(other(), "d.txt"), "x\n");
  {
    await using alpha = await open("alpha", place.root);
    const labels = [await ask(alpha, 1, "notes/in/a.md"), await ask(alpha, 2, "notes/in/b.md")];
    expect((await run("proposals", "apply", ...labels)).code).toBe(0);
    expect((await run("proposals", "reject", await ask(alpha, 3, "notes/c.md"))).code).toBe(0);
    alpha.call(4, "read_file", { path: "notes/in/a.md" });
    await alpha.answer(4);
  }
  {
    await using beta = await open("beta", other());
    await ask(beta, 1, "d.txt");
  }
  expect((await run("undo")).code).toBe(0);
});
afterAll(() => place[Symbol.dispose]());

interface Numbers {
  readonly asks: number;
  readonly asks_per_hour: number;
  readonly active_hours: number;
}

async function report(...args: readonly string[]): Promise<Numbers & Readonly<Record<string, unknown>>> {
  return JSON.parse((await run("report", "--json", ...args)).stdout) as Numbers & Readonly<Record<string, unknown>>;
}

test("ringfence report counts calls, changes, asks and answers, in all, for each client and for each session", async () => {
  const found = await report();
  expect(found).toMatchObject({ calls: 5, changes: 2, asks: 4, approved: 2, rejected: 1, open: 1, undone: 1 });
  expect(found["approval_rate"]).toBe(0.667);
  expect(found["clients"]).toMatchObject([
    { client: "alpha", sessions: 1, calls: 4, changes: 2, asks: 3, approved: 2, rejected: 1, open: 0 },
    { client: "beta", sessions: 1, calls: 1, changes: 0, asks: 1, approved: 0, rejected: 0, open: 1 },
  ]);
  expect(found["sessions"]).toMatchObject([
    { client: "beta", roots: [other()], calls: 1, asks: 1 },
    { client: "alpha", roots: [place.root], calls: 4, asks: 3, changes: 2, approval_rate: 0.667 },
  ]);
  expect(found["asked_by"]).toEqual([{ by: "mode:default", asks: 4 }]);
  // Whoever runs this at the end of an hour has two.
  expect(found.asks_per_hour * found.active_hours).toBeCloseTo(4);
});

test("ringfence report says of what it looked up and wrote for itself that no agent did", async () => {
  using own = new Place();
  const self = async (...args: readonly string[]): Promise<CliResult> =>
    await runRingfence(own, [...args, "--state-dir", own.stateDir]);
  expect((await self("doctor", "--root", own.root)).stdout).toMatch(
    /fence of a host with these roots: \w|no kernel fence/,
  );
  expect((await self("rules", "try", "write_file(**)", "--root", own.root)).code).toBe(0);
  const { clients } = JSON.parse((await self("report", "--json")).stdout) as { readonly clients: readonly object[] };
  expect(clients).toMatchObject([{ client: "ringfence itself", changes: 0 }]);
});

test("ringfence report says which rules would have saved asks, with the command for each, and grants none", async () => {
  expect((await report())["suggestions"]).toEqual([
    {
      roots: [place.root],
      rule: "append_file(notes/in/*.md)",
      saved: 2,
      add: `ringfence grants add 'append_file(notes/in/*.md)' --root ${place.root} --state-dir ${place.stateDir}`,
    },
  ]);
  expect(readdirSync(join(place.stateDir, "grants"))).toEqual([]);
});

test("ringfence report is about a span, and about the hosts of some roots when they are named", async () => {
  const past = await report("--since", "2999-01-01");
  expect(past).toMatchObject({ calls: 0, changes: 0, asks: 0, clients: [], sessions: [], suggestions: [] });
  expect((await run("report", "--since", "2999-01-01")).stderr).toContain("No call is on record since 2999-01-01");
  expect(await report("--since", "4w")).toMatchObject({ calls: 5 });
  expect(await report("--root", other())).toMatchObject({ calls: 1, asks: 1, approved: 0, undone: 0 });
  expect(await report("--root", place.root)).toMatchObject({ calls: 4, changes: 2, approved: 2, rejected: 1 });
  for (const wrong of ["7", "-1d", "0d", "7y", "yesterday", "2026-13-01", "2026-02-31"])
    for (const command of [["report"], ["audit", "show"]])
      expect(await run(...command, `--since=${wrong}`)).toMatchObject({ code: 2, stdout: "" });
});

test("ringfence report says the same in words", async () => {
  const { stdout } = await run("report");
  expect(stdout).toMatch(
    /^Since 2\S+Z: 5 calls of 2 sessions, 2 changes \(1 taken back\), in \d active hours?\.\n4 asks, /,
  );
  expect(stdout).toContain("2 approved, 1 rejected, 1 without an answer; 67 % of the answers were yes.\n\nCLIENT");
  expect(stdout).toMatch(/\nalpha +1 +4 +2 +3 +[\d.]+ +2 +1 +0 +67 %\n/);
  expect(stdout).toMatch(new RegExp(String.raw`\n\d{8}T\S+  4      2        3     2    1   alpha   ${place.root}\n`));
});
