/**
 * What changes when a space changes: a text over everything that spaces are read from, by looking only. Nothing is opened, so it
 * can be made every second.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../base/index.ts";
import type { Space } from "./read-space.ts";

/** @param spaces as they were read last @param more other paths that matter */
export async function markSpaces(
  directories: readonly string[],
  spaces: readonly Space[],
  more: readonly string[],
): Promise<string> {
  const marks = [...directories, ...more].flatMap(markOf);
  for (const directory of directories)
    for (const name of namesIn(directory)) marks.push(...markOf(join(directory, name)));
  for (const { folder, tools } of spaces) {
    // A call in between is answered: there may be hundreds of spaces.
    await Bun.sleep(0);
    const declared = ["tools", "agent/tools"].flatMap((one) => {
      const directory = join(folder, one);
      return [directory, ...namesIn(directory).map((name) => join(directory, name))];
    });
    const files = tools.flatMap((tool) => tool.files);
    marks.push(
      ...[folder, join(folder, "manifest.json"), join(folder, "space.manifest.json"), ...declared, ...files].flatMap(
        markOf,
      ),
    );
  }
  return sha256(marks.join("\n"));
}

function markOf(path: string): string[] {
  try {
    const { dev, ino, mtimeNs, ctimeNs, size, mode } = statSync(path, { bigint: true });
    return [[path, dev, ino, mtimeNs, ctimeNs, size, mode].join(" ")];
  } catch {
    return [];
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
