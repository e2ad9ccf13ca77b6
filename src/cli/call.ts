/**
 * `ringfence call TOOL`: one call from the shell, through the same pipeline as any other.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { RpcError } from "../wire/index.ts";
import { configFlags, HOST_FLAGS, parseFlags } from "./flags.ts";
import { openHost } from "./open-host.ts";
import { clearProgress, print, showProgress } from "./print.ts";
import { EXIT, UsageError, type ExitCode } from "./usage-error.ts";

const FLAGS: ArgsDef = {
  ...HOST_FLAGS,
  json: {
    type: "string",
    description: "The arguments as one JSON object; - reads it from standard input.",
    valueHint: "OBJECT",
  },
  raw: { type: "boolean", description: "Print the whole result as JSON instead of its text." },
};

export const callCommand: CommandDef = defineCommand({
  meta: { name: "call", description: "Call one tool and print what it answers." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS, Infinity);
    const [name, ...pairs] = typed.positionals;
    if (name === undefined) throw new UsageError("name the tool to call");
    using host = await openHost(configFlags(typed));
    // Not before: standard input must be whole when the program starts again behind the fence.
    const given = await readArguments(typed.one("json"), pairs);
    const { loadPipeline } = await import("../host/index.ts");
    const { dispatch } = await loadPipeline();
    const controller = new AbortController();
    process.once("SIGINT", () => controller.abort());
    try {
      const outcome = await dispatch(host, {
        name,
        arguments: given,
        meta: {},
        signal: controller.signal,
        onProgress: showProgress,
      });
      clearProgress();
      const result = JSON.parse(`{${outcome.members}}`) as CallResult;
      print(typed.has("raw") ? JSON.stringify({ ...result, _meta: outcome.meta }) : textOf(result));
      return result.isError ? EXIT.failed : EXIT.ok;
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      throw new UsageError(thrown.message);
    }
  },
});

interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly mimeType?: string }[];
  readonly isError?: boolean;
}

function textOf(result: CallResult): string {
  return result.content.map((part) => part.text ?? `(${part.mimeType ?? part.type})`).join("\n");
}

async function readArguments(json: string | undefined, pairs: readonly string[]): Promise<unknown> {
  const fromPairs = Object.fromEntries(pairs.map(readPair));
  if (json === undefined) return fromPairs;
  const text = json === "-" ? await Bun.stdin.text() : json;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value, ...fromPairs }
      : value;
  } catch {
    throw new UsageError("the value of --json is not JSON");
  }
}

/** `key=value`; a value that looks like a list or an object of JSON is one. */
function readPair(pair: string): [string, unknown] {
  const cut = pair.indexOf("=");
  if (cut <= 0) throw new UsageError(`${JSON.stringify(pair)} is not key=value`);
  const value = pair.slice(cut + 1);
  if (!/^[[{]/.test(value)) return [pair.slice(0, cut), value];
  try {
    return [pair.slice(0, cut), JSON.parse(value) as unknown];
  } catch {
    return [pair.slice(0, cut), value];
  }
}
