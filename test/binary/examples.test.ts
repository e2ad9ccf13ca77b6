/**
 * The examples, run as a reader would: the shell pipe, and a host of one's own compiled by the build script. What the
 * README shows is what these do.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { binaryPath } from "./build-binary.ts";
import { plantHostileFolder } from "./hostile-folder.ts";
import { Place, proposalOf, ServeProcess, type WireMessage } from "./serve-process.ts";

const WORKSPACE = join(REPOSITORY, "examples", "workspace");
const skipWindows = process.platform === "win32";

describe.skipIf(skipWindows)("examples/pipe.sh", () => {
  test("the client reads, edits, applies by request and reads again", async () => {
    const result = await run(["sh", join(REPOSITORY, "examples", "pipe.sh")]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const answers = result.stdout.trim().split("\n").map(parseMessage);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(answers[0]?.result?.content?.at(-1)?.text).toContain("Status: draft");
    expect(answers[1]?.result?.content?.at(-1)?.text).toContain("+Status: final");
    expect(answers[2]?.result).toMatchObject({ status: "applied" });
    expect(answers[3]?.result?.content?.at(-1)?.text).toContain("Status: final");
  });

  test("works on a directory of one's own, and changes it", async () => {
    using place = new Place();
    writeFileSync(join(place.root, "report.txt"), "a\r\nStatus: draft");
    const result = await run(["sh", join(REPOSITORY, "examples", "pipe.sh"), place.root]);
    expect(result.code).toBe(0);
    expect(readFileSync(join(place.root, "report.txt"), "utf8")).toBe("a\r\nStatus: final");
  });

  test("examples/pipe.sh says so when there is no binary", async () => {
    const result = await run(["sh", join(REPOSITORY, "examples", "pipe.sh")], { RINGFENCE: "/nonexistent" });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("build it first");
  });
});

describe("npm start", () => {
  test("npm start plays the session, narrow and without colours, and leaves the workspace as it is", async () => {
    const before = readFileSync(join(WORKSPACE, "report.txt"), "utf8");
    const result = await run([process.execPath, join(REPOSITORY, "scripts", "start.ts")]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const session = result.stdout.slice(0, result.stdout.indexOf("Into the configuration"));
    expect(session.split("\n").filter((line) => Bun.stringWidth(line) > 120)).toEqual([]);
    expect(result.stdout).not.toContain("\u001b");
    for (const part of ["→ tools/call edit_file", "+Status: final", '"mcpServers"', "printf '%s"])
      expect(result.stdout).toContain(part);
    expect(readFileSync(join(WORKSPACE, "report.txt"), "utf8")).toBe(before);
  });
});

describe("examples/custom-host", () => {
  let built: Place;
  let binary = "";

  beforeAll(async () => {
    built = new Place();
    binary = join(built.path, "custom-host");
    const entry = join(REPOSITORY, "examples", "custom-host", "main.ts");
    const args = [join(REPOSITORY, "scripts", "build.ts"), `--entry=${entry}`, `--out=${binary}`];
    const result = await run([process.execPath, ...args]);
    if (result.code !== 0) throw new Error(result.stdout + result.stderr);
  });

  afterAll(() => built[Symbol.dispose]());

  async function startHost(place: Place, cwd = place.path): Promise<ServeProcess> {
    cpSync(WORKSPACE, place.root, { recursive: true });
    const env = { XDG_STATE_HOME: place.stateDir };
    return await ServeProcess.start(place, { binary, command: [place.root], env, cwd });
  }

  test("examples/custom-host has the built-in tools and its own, and its read tool reads through the workers", async () => {
    using place = new Place();
    await using host = await startHost(place);
    const { result } = await host.ask(1, "tools/list");
    const names = result?.tools?.map((tool) => tool.name);
    expect(names).toContain("read_file");
    expect(names?.slice(-2)).toEqual(["outline_markdown", "rename_in_place"]);
    host.call(2, "outline_markdown", { path: "README.md" });
    expect((await host.answer(2)).result?.content?.at(-1)?.text).toBe("1\tTide report");
    host.call(3, "outline_markdown", { path: "../../etc/passwd" });
    expect((await host.answer(3)).result?._meta?.["dev.ringfence/failure"]?.code).toBe("outside_scope");
    expect(await host.close()).toBe(0);
  });

  test("the changing tool is proposed, executed on apply, and only once", async () => {
    using place = new Place();
    await using host = await startHost(place);
    host.call(1, "rename_in_place", { path: "report.txt", new_name: "tides.txt" });
    const proposal = proposalOf(await host.answer(1));
    expect(proposal).toMatchObject({ summary: "Rename report.txt to tides.txt", tool: "rename_in_place" });
    expect(existsSync(join(place.root, "tides.txt"))).toBe(false);
    const applied = await host.ask(2, "ringfence/proposals/apply", { id: proposal.id });
    expect(applied.result).toMatchObject({ status: "applied" });
    expect(existsSync(join(place.root, "tides.txt"))).toBe(true);
    renameSync(join(place.root, "tides.txt"), join(place.root, "report.txt"));
    const again = await host.ask(3, "ringfence/proposals/apply", { id: proposal.id });
    expect(again.error).toMatchObject({ code: 1, data: { code: "conflict" } });
    expect(existsSync(join(place.root, "tides.txt"))).toBe(false);
  });

  test("the proposal is stale when a named path has changed, and nothing is executed", async () => {
    using place = new Place();
    await using host = await startHost(place);
    host.call(1, "rename_in_place", { path: "report.txt", new_name: "tides.txt" });
    const { id } = proposalOf(await host.answer(1));
    writeFileSync(join(place.root, "report.txt"), "something else\n");
    const stale = await host.ask(2, "ringfence/proposals/apply", { id });
    expect(stale.error).toMatchObject({ code: 1, data: { code: "stale" } });
    expect(existsSync(join(place.root, "tides.txt"))).toBe(false);
  });

  test.each([
    [{ path: "report.txt", new_name: "../out.txt" }, "invalid_input"],
    [{ path: "report.txt", new_name: "README.md" }, "already_exists"],
    [{ path: ".", new_name: "moved" }, "outside_scope"],
    [{ path: "/etc/hosts", new_name: "x" }, "outside_scope"],
  ])("its changing tool refuses %j as %s", async (given, code) => {
    using place = new Place();
    await using host = await startHost(place);
    host.call(1, "rename_in_place", given);
    const { result } = await host.answer(1);
    expect(result).toMatchObject({ isError: true, _meta: { "dev.ringfence/failure": { code } } });
  });

  test("started in a hostile folder it runs its own workers", async () => {
    using trap = plantHostileFolder();
    using place = new Place();
    await using host = await startHost(place, trap.path);
    host.call(1, "read_file", { path: "report.txt" });
    expect((await host.answer(1)).result?.content?.at(-1)?.text).toContain("Old Pier");
    host.call(2, "rename_in_place", { path: "report.txt", new_name: "b.txt" });
    expect((await host.answer(2)).result?.["_meta"]).toBeDefined();
    expect(await host.close()).toBe(0);
    expect(trap.markers()).toEqual([]);
  });

  test("without a root it says how to give one", async () => {
    const result = await run([binary]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("no root was given");
  });
});

interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string[], env: Record<string, string> = {}): Promise<RunResult> {
  const child = Bun.spawn(command, {
    cwd: REPOSITORY,
    env: { ...process.env, RINGFENCE: await binaryPath(), ...env, FORCE_COLOR: undefined },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

function parseMessage(line: string): WireMessage {
  return JSON.parse(line) as WireMessage;
}
