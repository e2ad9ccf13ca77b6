/**
 * The launcher of a host in this process, and the exec stage that waits there for the next command.
 */
import { SPARE_MARK } from "../../src/fence/index.ts";
import { childrenOf, variableOf } from "../../src/proc/process-table.ts";
import { until } from "../waits/until.ts";
import { commandLineOf } from "./find-running.ts";

/** The last one: one of a test before may take a moment to end. */
export function findLauncher(): number {
  return Number(childrenOf(process.pid).findLast((pid) => commandLineOf(pid).includes("launcher.ts")));
}

/** The one that waits now; a child that has not got so far looks like the launcher. @param but one that has been taken */
export async function spareOf(but?: number): Promise<number> {
  return await until("a spare exec stage", () =>
    childrenOf(findLauncher()).find(
      (pid) => pid !== but && variableOf(pid, "RINGFENCE_START") === SPARE_MARK,
    ),
  );
}
