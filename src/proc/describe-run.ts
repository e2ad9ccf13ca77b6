/**
 * A planned run for the person who approves it: everything that its program is given. What every start has anew, its temporary
 * folder, stands there by a name, so that two descriptions of one call are alike.
 *
 * Usual mistake: to show the value of a token because its name was declared. Who approves needs to know that it is given.
 */
import { isSecretName } from "./child-environment.ts";
import type { RunDescription } from "./launcher-protocol.ts";
import type { PlannedRun } from "./plan-program.ts";

const TEMPORARY = "<its temporary folder>";

export function describeRun(planned: PlannedRun): RunDescription {
  const { start, cwd, fence, timeoutMs, maxProcesses, temporary, reach } = planned;
  const named = (text: string): string =>
    temporary === "" ? text : text.replaceAll(temporary, () => TEMPORARY);
  const { CPU, FSIZE, DATA, NOFILE } = start.limits;
  return {
    program: start.program,
    args: start.args.map(named),
    cwd: named(cwd),
    ...(start.stdin === undefined ? {} : { stdin: start.stdin }),
    environment: Object.fromEntries(
      Object.entries(start.environment).map(([name, value]) => [
        name,
        isSecretName(name) ? hidden(value) : named(value),
      ]),
    ),
    pty: start.pty === true,
    fence,
    reach,
    timeout_ms: timeoutMs,
    // The kernel's limit of tasks counts those of the user; what is meant are those of the command.
    limits: {
      cpu_seconds: CPU ?? 0,
      file_bytes: FSIZE ?? 0,
      memory_bytes: DATA ?? 0,
      descriptors: NOFILE ?? 0,
      processes: maxProcesses,
    },
  };
}

function hidden(value: string): string {
  return `<not shown, ${value.length} characters>`;
}
