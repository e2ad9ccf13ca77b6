/**
 * `ringfence call TOOL`: one call from the shell, through the same pipeline as any other.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { RpcError } from "../../wire/index.ts";
import { configFlags, HOST_FLAGS, parseFlags } from "../flags.ts";
import { openHost } from "../open-host.ts";
import { clearProgress, print, showProgress } from "../print.ts";
import { ARGUMENT_FLAG, readArguments } from "../read-arguments.ts";
import { stopBySignal } from "../stop-by-signal.ts";
import { EXIT, UsageError, type ExitCode } from "../usage-error.ts";

const FLAGS: ArgsDef = {
  ...HOST_FLAGS,
  json: ARGUMENT_FLAG,
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
    // Beside what follows here; nearly every tool needs one.
    host.readPool.warm();
    // Not before: standard input must be whole when the program starts again behind the fence.
    const given = await readArguments(typed.one("json"), pairs);
    const { loadLateParts } = await import("../../host/index.ts");
    const { speak } = await loadLateParts();
    try {
      const call = { name, arguments: given, meta: {}, onProgress: showProgress };
      const outcome = await stopBySignal(async (signal) => await speak(host, { ...call, signal }));
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
