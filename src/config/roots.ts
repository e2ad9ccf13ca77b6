/**
 * A root as it is written on a command line: `DIR`, `DIR:ro` or `DIR:rw`, relative to where the program was started; and
 * back, for the commands that a message names.
 */
import { isAbsolute, resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { RootSpec } from "../scope/index.ts";
import { startedIn } from "./environment.ts";
import type { Config } from "./settings.ts";

/** @throws Failure `invalid_input` */
export function parseRoot(text: string): RootSpec {
  const readOnly = text.endsWith(":ro");
  const path = readOnly || text.endsWith(":rw") ? text.slice(0, -3) : text;
  if (path === "") throw new Failure("invalid_input", `Cannot use the root ${JSON.stringify(text)}: the path is empty`);
  return { path: isAbsolute(path) ? path : absolute(path), readOnly };
}

export function absolute(path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(startedIn(), path);
}

type Found = Pick<Config, "roots" | "allowRootFs" | "configFile">;

/**
 * The flags with which another command finds what this host works with: its roots, and the configuration file that was
 * named. The state folder is added where the command is written.
 */
export function hostFlags({ roots, allowRootFs, configFile }: Found): string[] {
  return [
    ...(configFile === undefined ? [] : ["--config", configFile]),
    ...rootFlags(roots),
    ...(allowRootFs ? ["--allow-root-fs"] : []),
  ];
}

/** A path that ends like a mode says its mode, so that it is not read as one. */
export function rootFlags(roots: Found["roots"]): string[] {
  return roots.flatMap(({ path, readOnly }) => {
    const mode = readOnly ? ":ro" : /:r[ow]$/.test(path) ? ":rw" : "";
    return ["--root", `${path}${mode}`];
  });
}
