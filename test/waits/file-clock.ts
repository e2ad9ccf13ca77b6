/**
 * The clock of a file system moves in ticks, of milliseconds or of whole seconds: two changes within one leave the same
 * times. A test whose second change must be told from the first by its time waits for the tick in between.
 */
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./until.ts";

/**
 * Until a change of now gets another time than the last one of the file has.
 * @param folder on the same file system, for a file that is made and removed again
 */
export async function fileClockTicks(path: string, folder: string): Promise<void> {
  const { ctimeNs } = statSync(path, { bigint: true });
  const probe = join(folder, `tick-${crypto.randomUUID()}`);
  try {
    await until("the clock of the file system to move on", () => {
      writeFileSync(probe, "");
      return statSync(probe, { bigint: true }).ctimeNs > ctimeNs;
    });
  } finally {
    rmSync(probe, { force: true });
  }
}
