/**
 * A root as it is written on a command line: `DIR`, `DIR:ro`, `DIR:rw`; relative to where the program was started.
 */
import { isAbsolute, resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { RootSpec } from "../scope/index.ts";
import { startedIn } from "./environment.ts";

/** @throws Failure `invalid_input` */
export function parseRoot(text: string): RootSpec {
  const readOnly = text.endsWith(":ro");
  const path = readOnly ? text.slice(0, -3) : text.endsWith(":rw") ? text.slice(0, -3) : text;
  if (path === "")
    throw new Failure("invalid_input", `Cannot use the root ${JSON.stringify(text)}: the path is empty`);
  return { path: isAbsolute(path) ? path : absolute(path), readOnly };
}

export function absolute(path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(startedIn(), path);
}
