/**
 * `ringfence call`: arguments from the command line and from stdin, and what is printed.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { endsOf, hasStarted, recordOf } from "../binary/record-of.ts";
import { Place } from "../binary/serve-process.ts";
import { settled, until } from "../waits/until.ts";
import { runRingfence, type CliResult } from "./run-ringfence.ts";

async function call(args: readonly string[], input?: string): Promise<CliResult> {
  using place = new Place();
  writeFileSync(join(place.root, "a.txt"), "one\ntwo\nthree\n");
  return await runRingfence(place, ["call", ...args, "--root", "."], input === undefined ? {} : { input });
}

describe("the arguments", () => {
  const cases: [name: string, args: string[], input: string][] = [
    ["key=value, numbers too", ["read_file", "path=a.txt", "offset=2", "limit=1"], ""],
    ["a value with = in it", ["grep", "pattern=(?-u:)two", 'include=["*.txt"]'], ""],
    ["--json", ["read_file", "--json", '{"path":"a.txt","offset":2,"limit":1}'], ""],
    ["--json=", ["read_file", '--json={"path":"a.txt","offset":2,"limit":1}'], ""],
    ["--json and pairs, which win", ["read_file", "path=a.txt", "--json", '{"path":"x","offset":2}'], ""],
    ["--json - from stdin", ["read_file", "--json", "-"], '{"path":"a.txt","offset":2,"limit":1}\n'],
    ["an alias of a tool and of a parameter", ["Read", "file_path=a.txt", "offset=2"], ""],
  ];
  test.each(cases)("call takes the arguments %s", async (_name, args, input) => {
    const result = await call(args, input);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("two");
    expect(result.stdout).not.toContain("one");
  });

  test("stdin that is not JSON is wrong usage", async () => {
    expect(await call(["read_file", "--json", "-"], "path: a.txt")).toMatchObject({ code: 2, stdout: "" });
  });
});

test("a text that looks like JSON is a text where the tool wants one, by any of its names", async () => {
  using place = new Place();
  for (const [index, tool] of ["write_file", "Write"].entries()) {
    const write = ["call", tool, `path=${index}.json`, 'content={"a":[1]}', "--root", ".", "--mode", "accept_edits"];
    expect(await runRingfence(place, write)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(place.root, `${index}.json`), "utf8")).toBe('{"a":[1]}');
  }
  const found = await runRingfence(place, ["call", "grep", "pattern=[1]", 'include=["1.json"]', "--root", "."]);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('{"a":[1]}') });
  const explained = await runRingfence(place, ["explain", "write_file", "path=1.json", "content=[]", "--root", "."]);
  expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining("ask: write_file") });
  const unknown = await runRingfence(place, ["call", "wrte_file", "content={}", "--root", "."]);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean write_file") });
});

test("a tool that is not there, or off, is said in words for the command line", async () => {
  const sentence = "`ringfence tools --all` lists all tools, and says why some are off";
  const cases = [
    ["flooble", `there is no tool "flooble". ${sentence}`],
    ["read_fil", `there is no tool "read_fil", did you mean read_file, read_files? ${sentence}`],
    [
      "bash",
      `is turned off on this host. It is there with "shell": {"enabled": true} in the configuration. ${sentence}`,
    ],
  ] as const;
  for (const [tool, said] of cases) {
    const { code, stderr } = await call([tool]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(stderr).not.toContain("tools/list");
  }
});

test("--raw prints the result as JSON, with its _meta", async () => {
  const { stdout } = await call(["read_file", "path=missing", "--raw"]);
  expect(JSON.parse(stdout)).toMatchObject({
    isError: true,
    _meta: { "dev.ringfence/failure": { code: "not_found" } },
  });
});

test("call proposes a change, and makes it with --mode accept_edits", async () => {
  using place = new Place();
  const file = join(place.root, "a.txt");
  writeFileSync(file, "one\n");
  const edit = ["call", "edit_file", "path=a.txt", "old_text=one", "new_text=1", "--root", "."];
  const proposed = await runRingfence(place, edit);
  expect(proposed).toMatchObject({ code: 0, stdout: expect.stringMatching(/Proposal p_\S+\n$/) });
  expect(readFileSync(file, "utf8")).toBe("one\n");
  const applied = await runRingfence(place, [...edit, "--mode", "accept_edits"]);
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining("Applied: Edit a.txt") });
  expect(readFileSync(file, "utf8")).toBe("1\n");
});

test("call refuses a change in a read-only root", async () => {
  using place = new Place();
  const result = await runRingfence(place, ["call", "write_file", "path=a", "content=x", "--root", ".:ro"]);
  expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining("denied: ") });
});

test("call prints a large result whole into a slow pipe", async () => {
  using place = new Place();
  writeFileSync(join(place.root, "big.txt"), "0123456789abcde\n".repeat(60_000));
  const { stdout } = await runRingfence(place, ["call", "read_file", "path=big.txt", "limit=60000", "--root", "."]);
  expect(stdout.split("\n").filter((line) => line === "0123456789abcde")).toHaveLength(60_000);
});

test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s stops the call, which says so, has its end on record, and ends by the signal",
  async (signal) => {
    using place = new Place();
    writeFileSync(join(place.root, "big.bin"), "");
    // Far more than any machine hashes within the limit of a wait.
    truncateSync(join(place.root, "big.bin"), 8 * 1024 ** 4);
    const args = ["call", "hash_file", "path=big.bin", "--root", place.root, "--state-dir", place.stateDir];
    await using child = Bun.spawn([await binaryPath(), ...args], {
      env: { PATH: process.env["PATH"], HOME: place.path },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await until("the hash", () => hasStarted(place, "hash_file"));
    child.kill(signal);
    await settled("its end", child.exited);
    expect(child.signalCode).toBe(signal);
    expect(await child.stdout.text()).toStartWith("cancelled: ");
    expect(endsOf(place)).toEqual(["hash_file failed cancelled"]);
    expect(recordOf(place).at(-1)?.event).toBe("stop");
  },
);
test("an edit that needs a read before it says which flag a single call takes, and with that it is made", async () => {
  const edit = ["edit_file", "path=a.txt", "old_text=two", "new_text=2"];
  const refused = await call([...edit, "--baseline=required"]);
  expect(refused.code).toBe(1);
  const [flag = ""] = /--baseline=\w+/.exec(refused.stdout) ?? [];
  expect(flag).toBe("--baseline=if_known");
  expect(await call([...edit, "--baseline=required", flag])).toMatchObject({ code: 0 });
});
