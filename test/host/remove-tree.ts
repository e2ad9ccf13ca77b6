/**
 * A folder of a test, gone. A launcher that is on its way out may still tidy up in it, and one removal then gives up
 * half-way without a word: what it was about to remove was removed by somebody else.
 */
import { existsSync, rmSync } from "node:fs";
import { until } from "../waits/until.ts";

export async function removeTree(path: string): Promise<void> {
  await until(`${path} to be gone`, () => {
    rmSync(path, { recursive: true, force: true });
    return !existsSync(path);
  });
}
