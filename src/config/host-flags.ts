/**
 * The flags with which another command finds what this host works with: its roots, and the configuration file that was
 * named. For commands that a message names; the state folder is added where the command is written.
 */
import type { Config } from "./resolve-config.ts";

type Found = Pick<Config, "roots" | "allowRootFs" | "configFile">;

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
