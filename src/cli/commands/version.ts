/**
 * `ringfence version`: what this program is.
 */
import { defineCommand, type CommandDef } from "citty";
import { BUILD } from "../../config/index.ts";
import { parseFlags } from "../flags.ts";
import { print } from "../print.ts";
import { EXIT, type ExitCode } from "../usage-error.ts";

export const versionCommand: CommandDef = defineCommand({
  meta: { name: "version", description: "Print version, commit, runtime and target." },
  run({ rawArgs }): ExitCode {
    parseFlags(rawArgs, {});
    print(`ringfence ${BUILD.version} (commit ${BUILD.commit}, ${BUILD.runtime}, ${BUILD.target})`);
    return EXIT.ok;
  },
});
