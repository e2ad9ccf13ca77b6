/**
 * The MCP Inspector's command line against the real binary, in both eras, with its own lint of tools (`--strict`).
 *
 * The inspector wants Node 22.19 or newer. One in RINGFENCE_NODE is used; without it the same program runs under the
 * Bun that runs this test.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { binaryPath } from "./build-binary.ts";
import { Place, type CallResult } from "./serve-process.ts";
import { HANG_MS } from "../waits/until.ts";

const INSPECTOR = join(REPOSITORY, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

interface Inspected {
  readonly code: number;
  readonly result: CallResult;
  readonly findings: string;
}

async function inspect(place: Place, options: readonly string[], serve: readonly string[]): Promise<Inspected> {
  const runner = process.env["RINGFENCE_NODE"] ?? process.execPath;
  const host = ["serve", "--root", place.root, "--state-dir", place.stateDir, ...serve];
  const child = Bun.spawn([runner, INSPECTOR, "--cli", await binaryPath(), ...host, ...options], {
    // It keeps settings in its home directory.
    env: { PATH: process.env["PATH"], HOME: place.path },
    cwd: place.path,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
  });
  const [out, findings, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, findings, result: out.trim() === "" ? {} : (JSON.parse(out) as CallResult) };
}

const MATRIX = ["legacy", "modern"].flatMap((era) => ["text", "structured"].map((form) => [era, form] as const));

describe.each(MATRIX)("the inspector, %s era, --results=%s", (era, form) => {
  const options = (...more: string[]): string[] => ["--protocol-era", era, ...more];
  const call = (...tool: string[]): string[] => options("--method", "tools/call", "--tool-name", ...tool);
  const serve = [`--results=${form}`];

  test("the inspector finds nothing wrong with the tools", async () => {
    using place = new Place();
    const { code, findings, result } = await inspect(place, options("--method", "tools/list", "--strict", "-q"), serve);
    expect({ code, findings }).toEqual({ code: 0, findings: "" });
    expect(result.tools?.length).toBeGreaterThan(15);
  });

  test("calls a tool, and sees a failure as one", async () => {
    using place = new Place();
    // It offers no roots, which leaves none: what needs no path is called.
    const info = await inspect(place, call("system_info"), serve);
    expect(info.code).toBe(0);
    expect(JSON.stringify(info.result)).toContain(place.root);
    expect((await inspect(place, call("read_file", "--tool-arg", "path=none.txt"), serve)).code).toBe(5);
  });
});
