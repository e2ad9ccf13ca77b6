/**
 * The official SDK's clients ask their person for the real binary: each generation, both eras, with and without
 * structured results, which the clients check against the output schemas.
 */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "./build-binary.ts";
import { runRingfence } from "../cli/run-ringfence.ts";
import { Place, type CallResult } from "./serve-process.ts";

interface Asked extends AsyncDisposable {
  /** What its person was shown. */
  readonly shown: string[];
  call(name: string, given: object): Promise<CallResult>;
}

interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}
type Answer = () => ElicitResult | Promise<ElicitResult>;
type Connect = (command: Command, answer: Answer) => Promise<Asked>;

const ME = { name: "ringfence-test", version: "1" };
const CAPABILITIES = { capabilities: { elicitation: {} } };
const CLIENTS: readonly (readonly [string, Connect])[] = [
  ["SDK v1", connectFirst],
  ["SDK v2, handshake era", async (command, answer) => await connectSecond(command, answer, "legacy")],
  ["SDK v2, modern era", async (command, answer) => await connectSecond(command, answer, "auto")],
];
const MATRIX = CLIENTS.flatMap(([name, connect]) =>
  ["text", "structured"].map((form) => [name, form, connect] as const),
);

async function connectFirst(command: Command, answer: Answer): Promise<Asked> {
  const client = new FirstClient(ME, CAPABILITIES);
  const shown: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    shown.push(params.message);
    return await answer();
  });
  await client.connect(new FirstTransport(command));
  await client.listTools();
  return {
    shown,
    call: async (name, given) => (await client.callTool({ name, arguments: { ...given } })) as CallResult,
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

async function connectSecond(command: Command, answer: Answer, mode: "legacy" | "auto"): Promise<Asked> {
  const client = new ModernClient(ME, { ...CAPABILITIES, versionNegotiation: { mode } });
  const shown: string[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    shown.push(params.message);
    return await answer();
  });
  await client.connect(new ModernTransport(command));
  await client.listTools();
  return {
    shown,
    call: async (name, given) => (await client.callTool({ name, arguments: { ...given } })) as CallResult,
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

const onDisk = (place: Place): string => readFileSync(join(place.root, "a.txt"), "utf8");

describe.each(MATRIX)("%s, --results=%s", (_name, form, connect) => {
  async function ask(
    place: Place,
    answer: ElicitResult,
    before: (shown: string) => Promise<unknown> = async () => undefined,
  ): Promise<{ result: CallResult; shown: string[] }> {
    writeFileSync(join(place.root, "a.txt"), "one\n");
    const args = ["serve", "--root", place.root, "--state-dir", place.stateDir, `--results=${form}`];
    const env = { PATH: process.env["PATH"] ?? "", HOME: place.path };
    await using client = await connect({ command: await binaryPath(), args, env }, async () => {
      await before(client.shown.at(-1) ?? "");
      return answer;
    });
    // An edit wants its file to have been shown.
    await client.call("read_file", { path: "a.txt" });
    const given = { path: "a.txt", old_text: "one", new_text: "1" };
    return { result: await client.call("edit_file", given), shown: client.shown };
  }

  test("a person says yes", async () => {
    using place = new Place();
    const { result, shown } = await ask(place, { action: "accept", content: { decision: "apply" } });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain("-one\n+1");
    expect(result.content?.at(-1)?.text).toStartWith("Applied: ");
    if (form === "structured") expect(result.structuredContent?.["status"]).toBe("applied");
    expect(onDisk(place)).toBe("1\n");
  });

  test("a person says no", async () => {
    using place = new Place();
    const content = { decision: "reject", reason: "not there" };
    const { result } = await ask(place, { action: "accept", content });
    expect(result["isError"]).toBe(true);
    expect(result.content?.at(-1)?.text).toContain("not there");
    expect(onDisk(place)).toBe("one\n");
  });

  test("a person at the terminal was quicker than the form", async () => {
    using place = new Place();
    const apply = async (shown: string): Promise<void> => {
      const label = /p_[\w-]{22}@[0-9a-f]{40}/.exec(shown)?.[0] ?? "";
      const applied = await runRingfence(place, ["proposals", "apply", label, "--state-dir", place.stateDir]);
      expect(applied).toMatchObject({ code: 0, stderr: "" });
    };
    const { result } = await ask(place, { action: "accept", content: { decision: "apply" } }, apply);
    expect(result["isError"]).toBeUndefined();
    expect(result.content?.at(-1)?.text).toMatch(/^Applied: Edit a\.txt .*\nTransaction t_/);
    expect(onDisk(place)).toBe("1\n");
  });

  test.each([{ action: "cancel" }, { action: "decline" }] as const)("nobody decides: %j", async (answer) => {
    using place = new Place();
    const { result } = await ask(place, answer);
    expect(result._meta?.["dev.ringfence/proposal"]?.id).toMatch(/^p_/);
    if (form === "structured") expect(result.structuredContent?.["status"]).toBe("proposed");
    expect(onDisk(place)).toBe("one\n");
  });
});
