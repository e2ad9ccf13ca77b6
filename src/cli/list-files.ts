/**
 * The files in the roots of a host, as its own `glob` lists them: without what ignore files, denies and secrets take away. Whatever
 * a host would not show is not counted as opened by a rule either.
 */
import { resolve } from "node:path";
import { limits } from "../base/index.ts";
import type { Host } from "../host/index.ts";
import { stopBySignal } from "./open-host.ts";
import { RINGFENCE_ITSELF } from "./own-call.ts";
import { withProgress } from "./print.ts";

export interface ListedFiles {
  /** Absolute. */
  readonly files: readonly string[];
  /** There are more, or some could not be listed. */
  readonly isCut: boolean;
}

/** @param host with results in structured form */
export async function listFiles(host: Host): Promise<ListedFiles> {
  const { loadLateParts } = await import("../host/index.ts");
  const { speak } = await loadLateParts();
  const roots = host.config.roots.map(({ path }) => path);
  const files: string[] = [];
  let isCut = false;
  for (const path of roots) {
    const call = {
      name: "glob",
      arguments: { pattern: "**/*", path, limit: limits.MAX_PATHS, sort: "name" },
      meta: {},
      by: RINGFENCE_ITSELF,
    };
    try {
      const { members } = await withProgress(
        async (onProgress) => await stopBySignal(async (signal) => await speak(host, { ...call, signal, onProgress })),
      );
      const { structuredContent } = JSON.parse(`{${members}}`) as { structuredContent?: Listed };
      files.push(...(structuredContent?.paths ?? []).map((file) => resolve(roots[0] ?? "/", file)));
      isCut ||= structuredContent?.truncated !== false;
    } catch {
      // A profile may have no glob: then nothing is known of the files, which the answer says.
      isCut = true;
    }
  }
  host.writeRecord();
  return { files, isCut };
}

interface Listed {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}
