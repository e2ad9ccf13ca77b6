/**
 * The session of the demonstration, step by step, each with what must come back. Nothing in it is prepared: the binary
 * is the real one and the workspace is on the disk.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { showAnswer, showRequest, textsOf, type Style } from "./show-wire.ts";
import { WireClient, type WireAnswer } from "./wire-client.ts";

export interface Stage {
  readonly binary: string;
  /** A copy of examples/workspace; the session changes it. */
  readonly root: string;
  readonly stateDir: string;
  readonly style: Style;
}

/** @throws Error at the first step that does not come out as expected */
export async function playSession({ binary, root, stateDir, style }: Stage): Promise<void> {
  await using client = new WireClient(binary, ["serve", "--root", root, "--state-dir", stateDir]);
  const step = async (
    method: string,
    params: Readonly<Record<string, unknown>>,
    expected: string,
  ): Promise<WireAnswer> => {
    console.log(showRequest(method, params, style));
    const answer = await client.request(method, params);
    console.log(`${showAnswer(method, answer, answer.ms, style)}\n`);
    expectPart(method, answer, expected);
    return answer;
  };
  const call = async (name: string, given: object, expected: string): Promise<WireAnswer> =>
    await step("tools/call", { name, arguments: given }, expected);

  await step("initialize", HELLO, '"name":"ringfence"');
  console.log(`${showRequest("notifications/initialized", {}, style)}\n`);
  client.notify("notifications/initialized");
  await step("tools/list", {}, '"edit_file"');
  await call("list_directory", {}, "report.txt");
  await call("read_file", { path: "report.txt" }, "Status: draft");
  await call("grep", { pattern: "TODO", include: ["*.py"] }, "src/tides.py:");
  const edit = { path: "report.txt", old_text: "Status: draft", new_text: "Status: final" };
  const proposed = await call("edit_file", edit, "+Status: final");
  expectOnDisk(root, "Status: draft");
  note("Nothing is written yet: the file on the disk still says draft. A person, or the runtime, approves:");
  await step("ringfence/proposals/apply", { id: proposalOf(proposed) }, '"status":"applied"');
  expectOnDisk(root, "Status: final");
  await call("read_file", { path: "report.txt", offset: -1 }, "Status: final");
  const code = await client.close();
  if (code !== 0) throw new Error(`Cannot end the session: the exit code is ${code}, and must be 0`);
}

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "npm start", version: "1" },
};

function expectPart(method: string, answer: WireAnswer, expected: string): void {
  const isFailure = answer.error !== undefined || answer.result?.["isError"] === true;
  if (!isFailure && [...textsOf(answer.result), JSON.stringify(answer.result)].join("\n").includes(expected)) return;
  throw new Error(`Cannot go on after ${method}: the answer must contain ${JSON.stringify(expected)}`);
}

function expectOnDisk(root: string, expected: string): void {
  const text = readFileSync(join(root, "report.txt"), "utf8");
  if (!text.includes(expected)) throw new Error(`Cannot go on: report.txt must contain "${expected}"`);
}

function proposalOf({ result }: WireAnswer): string {
  const meta = result?.["_meta"] as { "dev.ringfence/proposal"?: { id: string } } | undefined;
  const id = meta?.["dev.ringfence/proposal"]?.id;
  if (id === undefined) throw new Error("Cannot go on: the edit must answer with a proposal");
  return id;
}

function note(text: string): void {
  console.log(`  ${text}\n`);
}
