/**
 * `ringfence rules`: the record is that of a real host, whose proposals were applied and rejected; the command reads it, the
 * configuration and the files, and grants nothing.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import type { Json, TestHost } from "../host/in-memory-host.ts";
import { openCommandHost } from "../proc/command-host.ts";

let host: TestHost;
beforeEach(() => {
  const files = {
    "README.md": "r\n",
    "notes/a.md": "a\n",
    "notes/b.md": "b\n",
    "notes/deep/c.md": "c\n",
    "notes/x.txt": "x\n",
    "src/a.ts": "a\n",
    "src/b.ts": "b\n",
    "src/generated/g.ts": "g\n",
    ".hidden/h.md": "h\n",
  };
  host = openCommandHost({ files, config: { mode: "default", baseline: "if_known", shell: { enabled: true } } });
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
});

const edit = async (path: string, answer: "apply" | "reject" | "none" = "apply"): Promise<void> => {
  const asked = await host.call("append_file", { path, content: "more\n" });
  if (answer === "apply") await host.apply(asked);
  if (answer === "reject") await host.request("ringfence/proposals/reject", { id: asked.proposal?.id });
};

async function rules(
  args: readonly string[],
  config: object = {},
): Promise<{ code: number; out: string; err: string }> {
  host.audit();
  const path = join(host.top, "ringfence.json");
  writeFileSync(path, JSON.stringify({ shell: { enabled: true }, ...config }));
  const given = ["--root", host.root, "--state-dir", host.stateDir, "--config", path];
  const child = Bun.spawn([await binaryPath(), "rules", ...args, ...given], {
    env: { PATH: process.env["PATH"], HOME: host.top },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, out, err };
}

const suggested = async (config: object = {}): Promise<Json> => {
  return JSON.parse((await rules(["suggest", "--json"], config)).out);
};

test("suggest gives the narrowest rule that saves the most, with what it would have saved and what it opens", async () => {
  for (const path of ["notes/a.md", "notes/b.md", "notes/deep/c.md"]) await edit(path);
  await edit("README.md");
  const { asks, suggestions } = await suggested();
  expect(asks).toBe(4);
  expect(suggestions).toHaveLength(1);
  const [first] = suggestions;
  expect(first.rule).toBe("append_file(notes/**/*.md)");
  expect(first.saved.map(({ paths }: Json) => paths[0].slice(host.root.length + 1))).toEqual([
    "notes/a.md",
    "notes/b.md",
    "notes/deep/c.md",
  ]);
  expect(first.files).toEqual({ count: 3, complete: true, examples: expect.arrayContaining(["notes/a.md"]) });
  expect(first.add).toBe(
    `ringfence grants add 'append_file(notes/**/*.md)' --root ${host.root} --state-dir ${host.stateDir}`,
  );
  expect(readdirSync(join(host.stateDir, "grants"))).toEqual([]);
});

test("suggest gives nothing that would have allowed what a person rejected", async () => {
  for (const path of ["notes/a.md", "notes/b.md"]) await edit(path);
  await edit("notes/deep/c.md", "reject");
  const { suggestions } = await suggested();
  expect(suggestions.map(({ rule }: Json) => rule)).toEqual(["append_file(notes/*.md)"]);
});

test("suggest lifts no deny, repeats no rule that there is, and takes no deletion for a habit", async () => {
  for (const path of ["src/a.ts", "src/b.ts", "src/generated/g.ts"]) await edit(path);
  const deny = "group:fs(src/generated/**)";
  const [first] = (await suggested({ rules: [{ deny }] })).suggestions;
  expect([first.rule, first.saved.length, first.denies]).toEqual(["append_file(src/*.ts)", 2, []]);
  const tried = await rules(["try", "append_file(src/**)", "--json"], { rules: [{ deny }] });
  expect(JSON.parse(tried.out)).toMatchObject({
    denies: [deny],
    files: { count: 2 },
    held: [{ by: { type: "deny" } }],
  });
  expect((await suggested({ rules: [{ allow: "append_file(src/**)" }] })).suggestions).toEqual([]);
  for (const path of ["notes/a.md", "notes/b.md"]) await host.apply(await host.call("delete", { path }));
  const all = (await suggested()).suggestions.map(({ rule }: Json) => rule) as string[];
  expect(all.filter((rule) => rule.startsWith("delete"))).toEqual([]);
});

test("suggest names lines as they were approved, and no rule that check would call wide", async () => {
  for (const command of ["touch one.txt", "touch one.txt", "python3 a.py", "python3 b.py", "python3 c.py"]) {
    const asked = await host.call("shell", { command });
    await host.apply(asked);
  }
  const { suggestions } = await suggested();
  expect(suggestions.map(({ rule }: Json) => rule)).toEqual(["shell(touch one.txt)"]);
});

test("suggest says so in words, and asks that nobody answered are no reason for a rule", async () => {
  await edit("notes/a.md", "none");
  await edit("notes/b.md", "none");
  const none = await rules(["suggest"]);
  expect([none.code, none.out]).toEqual([0, ""]);
  expect(none.err).toContain("No rule would have saved two asks or more, of 2 asks in the last 30 days.");
  await edit("notes/a.md");
  await edit("notes/b.md");
  const { out } = await rules(["suggest"]);
  expect(out).toContain(
    "append_file(notes/*.md)\n  would have saved 4 of 4 asks in 30 days, for example notes/a.md, notes/b.md",
  );
  expect(out).toContain("  opens now: 2 files, for example notes/");
  expect(out).toEndWith("Nothing was granted. A deny holds over every rule, and so does a more specific ask.\n");
});

test("try says what a rule would have allowed, and ends with 4 for a wide one", async () => {
  await edit("notes/a.md");
  const narrow = await rules(["try", "append_file(notes/**)"]);
  expect(narrow.code).toBe(0);
  expect(narrow.out).toContain("would have saved 1 of 1 ask in 30 days, for example notes/a.md");
  expect(narrow.out).toContain("opens now: 4 files");
  const wide = await rules(["try", "shell(python3 *)"]);
  expect([wide.code, wide.out]).toEqual([4, expect.stringContaining("wide: it allows python3, an interpreter")]);
  expect((await rules(["try", "append_file("])).code).toBe(2);
});
