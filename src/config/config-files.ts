/**
 * Which configuration files there are, without reading any: most hosts have none, and then nothing more is loaded.
 */
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { configDirectories, startedIn } from "./environment.ts";
import type { FileKind } from "./parse-file.ts";

const ROOT_FILE = ".ringfence.json";

const NAMES: readonly string[] = ["ringfence.json", "ringfence.yaml", "ringfence.yml", "ringfence.toml"];

export interface ConfigFile {
  readonly path: string;
  readonly kind: FileKind;
}

/** In the order of the layers. @param asked `--config` */
export function existingFiles(asked: string | undefined): ConfigFile[] {
  const { machine, user } = configDirectories();
  const found: ConfigFile[] = [];
  for (const [directory, kind] of [
    [machine, "machine"],
    [user, "user"],
  ] as const) {
    if (directory === undefined || !isThere(directory)) continue;
    const path = NAMES.map((name) => join(directory, name)).find(isThere);
    if (path !== undefined) found.push({ path, kind });
  }
  if (asked !== undefined) found.push({ path: resolve(startedIn(), asked), kind: "--config" });
  return found;
}

/** @param root as it was given, `DIR:ro` too */
export function rootFileOf(root: string): string[] {
  const path = rootFilePath(root);
  return isThere(path) ? [path] : [];
}

/** Where the file of a root is looked for, whether there is one or not. */
export function rootFilePath(root: string): string {
  return join(resolve(startedIn(), root.replace(/:r[ow]$/, "")), ROOT_FILE);
}

/**
 * A link that leads nowhere is there too, and so is what may not be looked at: neither must be taken for no rules. What is
 * wrong with it is said when it is read.
 */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EACCES";
  }
}
