/**
 * `ringfence call TOOL key=value ...`: one call from the shell, through the same pipeline as any other. And `ringfence
 * explain`: what would be decided about a call, by which rule, and what would change it; nothing runs.
 */
import { isObject } from "../../base/index.ts";
import type { Explanation } from "../../calls/index.ts";
import type { Host } from "../../host/index.ts";
import { RpcError } from "../../wire/index.ts";
import { configFlags, EXIT, HOST_FLAGS, UsageError, type CliCommand, type Flags } from "../command.ts";
import { askHost, openHost, stopBySignal } from "../open-host.ts";
import { print, printAnswer, printJson, printText, withProgress } from "../print.ts";

/** The arguments of a tool, as `key=value` pairs over one JSON object. */
const ARGUMENTS = "TOOL [KEY=VALUE ...]";
const ARGUMENT_FLAG: Flags = {
  json: { about: "The arguments as one JSON object; - reads it from standard input.", value: "OBJECT" },
};

export const callCommand: CliCommand = {
  about: "Call one tool and print what it answers.",
  takes: ARGUMENTS,
  most: Infinity,
  flags: { ...HOST_FLAGS, ...ARGUMENT_FLAG, raw: { about: "Print the whole result as JSON instead of its text." } },
  examples: [
    "ringfence call read_file path=README.md --root .",
    `ringfence call grep pattern=TODO include='["*.ts"]' --root .`,
    `ringfence call write_file --json '{"path":"a.txt","content":"hello\\n"}' --root .`,
    "jq -c .arguments call.json | ringfence call edit_file --json - --root .",
  ],
  async run(typed) {
    const [name, ...pairs] = typed.positionals;
    if (name === undefined) throw new UsageError("name the tool to call");
    using host = await openHost(configFlags(typed));
    // Beside what follows here; nearly every tool needs one.
    host.readPool.warm();
    // Not before: standard input must be whole where the program starts again behind the fence.
    const given = await readArguments(host, name, { pairs, json: typed.one("json") });
    const { loadLateParts, whenTold } = await import("../../host/index.ts");
    const { speak } = await loadLateParts();
    return await asUsage(async () => {
      const outcome = await withProgress(async (onProgress) => {
        const call = { name, arguments: given, meta: {}, onProgress, isLast: true };
        return await stopBySignal(async (signal) => await speak(host, { ...call, signal }));
      });
      host.writeRecord();
      const result = JSON.parse(`{${outcome.members}}`) as CallResult;
      if (typed.has("raw")) print(JSON.stringify({ ...result, _meta: outcome.meta }));
      else printAnswer(textOf(result));
      await whenTold(host);
      return result.isError ? EXIT.failed : EXIT.ok;
    });
  },
};

interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly mimeType?: string }[];
  readonly isError?: boolean;
}

function textOf(result: CallResult): string {
  return result.content.map((part) => part.text ?? `(${part.mimeType ?? part.type})`).join("\n");
}

export const explainCommand: CliCommand = {
  about: "Say what would be decided about a call, and why.",
  takes: ARGUMENTS,
  most: Infinity,
  flags: { ...HOST_FLAGS, ...ARGUMENT_FLAG, raw: { about: "Print JSON." } },
  examples: ["ringfence explain write_file path=src/a.ts --root ."],
  async run(typed) {
    const [name, ...pairs] = typed.positionals;
    if (name === undefined) throw new UsageError("name the tool whose call is to be explained");
    using host = await openHost(configFlags(typed));
    const params = { name, arguments: await readArguments(host, name, { pairs, json: typed.one("json") }) };
    return await asUsage(async () => {
      const answer = await askHost(host, "ringfence/policy/explain", params);
      if (typed.has("raw")) printJson(answer, 2);
      else printText(describe(answer));
      return EXIT.ok;
    });
  },
};

function describe({ tool, mode, decision, change, missing = [], asked_before: before = [] }: Explanation): string {
  return [
    `${decision.type}: ${tool}, ${decision.reason}`,
    `risk: ${decision.risk}`,
    `rule: ${decision.rule} (${decision.source})`,
    `mode: ${mode}`,
    `what would change it: ${change}`,
    ...missing.map(
      ({ name, could_change: could }) =>
        `not given: ${name}, which ${could ? "could change" : "does not change"} the decision`,
    ),
    ...before.map((program) => `when it is made, ${program} may still ask or deny`),
  ].join("\n");
}

/** What is an error of the protocol for a client is a wrong command line here, such as a tool that does not exist. */
async function asUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof RpcError ? new UsageError(inCommandWords(thrown)) : thrown;
  }
}

/** A message about a tool that there is not is written for a model, which has no command line. */
function inCommandWords({ message, data }: RpcError): string {
  const { tool, candidates = [], turned_off: isOff = false } = (data ?? {}) as UnknownTool;
  if (tool === undefined) return message;
  if (isOff) return message.replace(/ Only the person who runs this host .*$/s, ` ${ALL_TOOLS}`);
  const near = candidates.length === 0 ? "" : `, did you mean ${candidates.join(", ")}?`;
  return `there is no tool ${JSON.stringify(tool)}${near}${near === "" ? ". " : " "}${ALL_TOOLS}`;
}

const ALL_TOOLS = "`ringfence tools --all` lists all tools, and says why some are off";

/** What comes with the error of such a call. */
interface UnknownTool {
  readonly tool?: string;
  readonly candidates?: readonly string[];
  readonly turned_off?: boolean;
}

/** @param name the tool, which says which values are texts */
async function readArguments(
  host: Host,
  name: string,
  { pairs, json }: { readonly pairs: readonly string[]; readonly json: string | undefined },
): Promise<unknown> {
  const texts = pairs.some((pair) => LOOKS_LIKE_JSON.test(pair)) ? await textsOf(host, name) : [];
  const read = pairs.map((pair) => readPair(pair, texts));
  const twice = read.find(([key], index) => read.slice(0, index).some(([other]) => other === key));
  if (twice) throw new UsageError(`${twice[0]} is given twice; a list is ${twice[0]}='["one","two"]'`);
  const fromPairs = Object.fromEntries(read);
  if (json === undefined) return fromPairs;
  const text = json === "-" ? await Bun.stdin.text() : json;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value, ...fromPairs } : value;
  } catch {
    throw new UsageError("the value of --json is not JSON");
  }
}

const LOOKS_LIKE_JSON = /^[^=]+=[[{]/;

/** The parameters of a tool that are texts, whatever these look like. None of a tool that there is not, whose call says so. */
async function textsOf(host: Host, name: string): Promise<readonly string[]> {
  const { shownInput } = await import("../../surfaces/index.ts");
  try {
    const { schema } = await shownInput(host, name);
    return Object.entries(schema.properties ?? {}).flatMap(([key, { type }]) => (type === "string" ? [key] : []));
  } catch (thrown) {
    if (thrown instanceof RpcError) return [];
    throw thrown;
  }
}

/** `key=value`; a value that looks like a list or an object of JSON is one, except where a text is wanted. */
function readPair(pair: string, texts: readonly string[]): [string, unknown] {
  const cut = pair.indexOf("=");
  if (cut <= 0) throw new UsageError(`${JSON.stringify(pair)} is not key=value; give a JSON object with --json`);
  const [key, value] = [pair.slice(0, cut), pair.slice(cut + 1)];
  if (texts.includes(key) || !/^[[{]/.test(value)) return [key, value];
  try {
    return [key, JSON.parse(value) as unknown];
  } catch {
    return [key, value];
  }
}
