/**
 * `ringfence guard`: answers the hook of a client that is about to use a tool of its own, by our policy. For clients whose own
 * tools cannot be turned off, or are wanted beside ours.
 *
 * Invariant: whatever goes wrong blocks the call. Clients take the exit code 2 for that and go on at every other failure, so
 * nothing here ends with another one; what ends this process from outside is caught by the command line that `init` writes.
 */
import { CLOCK, limits } from "../../base/index.ts";
import { GUARDS, readHook, type GuardRow, type HookAnswer, type ToldHook } from "../../clients/index.ts";
import { compilePattern } from "../../pattern/index.ts";
import { escapeControls, truncateUtf8 } from "../../text/index.ts";
import { configFlags, didYouMean, EXIT, HOST_FLAGS, UsageError, type CliCommand, type ExitCode } from "../command.ts";
import { printJson } from "../print.ts";

/** The client shows the reason to its model, and blocks the call. */
const BLOCKED: ExitCode = EXIT.usage;
/** Clients stop a hook after 60 seconds by default, and then go on as if there were none. */
const ANSWER_MS = 20_000;
const MAX_REASON_BYTES = 4096;

export const guardCommand: CliCommand = {
  about: "Answer the hook of a client that is about to use a tool of its own.",
  flags: {
    client: { about: `Whose hook it is: ${GUARDS.map(({ name }) => name).join(", ")}.`, value: "NAME" },
    ...HOST_FLAGS,
    pass: { about: "Leave this tool of the client to the client, as mcp__github__*. Repeatable.", value: "TOOL" },
  },
  examples: [
    "ringfence init cursor   # writes the hook, with this command in it",
    "ringfence guard --client cursor --root ~/project < hook.json",
  ],
  async run(typed) {
    const name = typed.one("client");
    const row = GUARDS.find((one) => one.name === name);
    const known = GUARDS.map((one) => one.name);
    if (name === undefined) throw new UsageError(`--client takes ${known.join(", ")}`);
    if (!row) throw new UsageError(`there is no hook of ${JSON.stringify(name)}${didYouMean(name, known)}`);
    try {
      const guarded = answerHook(row, configFlags(typed), typed.all("pass"));
      const { request, answer } = await inTime(guarded);
      const isHeard = printJson(row.say(inWords(request, answer), request.event));
      return isHeard ? EXIT.ok : BLOCKED;
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      process.stderr.write(`${escapeControls(`ringfence guard blocks the call: ${why}`)}\n`);
      return BLOCKED;
    }
  },
};

const PASSED: HookAnswer = { verdict: "pass", reason: "" };
const NAMES = { dot: true, ignoreCase: false, whenTooLong: false };

interface Answered {
  readonly request: ToldHook;
  readonly answer: HookAnswer;
}

async function answerHook(
  row: GuardRow,
  raw: ReturnType<typeof configFlags>,
  passed: readonly string[],
): Promise<Answered> {
  const request = readHook(row, await readInput());
  const { openGuardPolicy } = await import("./open-guard-policy.ts");
  using policy = await openGuardPolicy(raw, row);
  const { askPolicy } = await import("./ask-policy.ts");
  const isPassed = passed.some((pattern) => compilePattern(pattern, NAMES).matches(request.tool));
  const answer = isPassed ? PASSED : await askPolicy(policy, request);
  const { verdict, reason } = answer;
  if (verdict !== "pass")
    policy.host.audit.record("guarded", { client: row.name, tool: request.tool, decision: verdict, reason });
  return { request, answer };
}

/** @throws Error for more than a message may have, and for bytes that are no UTF-8 */
async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > limits.MAX_FRAME_BYTES)
      throw new Error(`what the client says has more than ${limits.MAX_FRAME_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (bytes === 0) throw new Error("the client says nothing");
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  CLOCK.after(ANSWER_MS, () => reject(new Error(`the policy gave no answer in ${ANSWER_MS / 1000} seconds`)));
  return await Promise.race([work, late]);
}

/** Where nobody can be asked, the model is told what to do in its place, and what a person could do. */
function inWords({ canAsk }: ToldHook, { verdict, reason, allowedBy }: HookAnswer): HookAnswer {
  if (verdict === "pass") return { verdict, reason };
  const said = truncateUtf8(`ringfence: ${reason}`, MAX_REASON_BYTES).text;
  if (verdict === "ask" && canAsk) return { verdict, reason: said };
  const next = "Use the tools of the MCP server ringfence in its place.";
  const allow = allowedBy === undefined ? "" : ` A person can allow it with: \`${allowedBy}\`.`;
  const nobody = verdict === "ask" ? ` A person has to be asked, and this hook cannot ask one.${allow}` : "";
  return { verdict: "deny", reason: `${said}${nobody} ${next}` };
}
