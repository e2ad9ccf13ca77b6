/**
 * Whether a host with this configuration can work, said when it starts and not at the first call. The roots are opened by
 * the host itself; the state folder is only needed later.
 */
import type { Config } from "../config/index.ts";
import { openStateFolder } from "../state/index.ts";

/** @throws Failure `denied` for the state folder */
export function checkStart({ stateDir }: Config): void {
  openStateFolder(stateDir);
}
