/**
 * Whether a host with this configuration can work, said when it starts and not at the first call: the roots are there
 * and the state folder can be used. The roots are opened by handle in the workers; this look is only for the message.
 */
import { statSync } from "node:fs";
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { openStateFolder } from "../state/index.ts";

/** @throws Failure `not_found` or `invalid_input` for a root, `denied` for the state folder */
export function checkStart({ roots, stateDir }: Config): void {
  for (const { path } of roots) {
    const found = statSync(path, { throwIfNoEntry: false });
    const hint = "Give an existing directory: --root DIR, or --root DIR:ro for reading only.";
    if (!found) throw new Failure("not_found", `Cannot open the root "${path}": it does not exist`, { hint });
    if (!found.isDirectory())
      throw new Failure("invalid_input", `Cannot open the root "${path}": it is not a directory`, { hint });
  }
  openStateFolder(stateDir);
}
