/**
 * Files of clients written by a host of this command: one transaction, all or none, recorded, with the mode and the owner that
 * they have, and undone as any other. Its roots are the folders of these files and nothing else.
 *
 * Invariant: a file that has changed since it was read is not written.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Failure, sha256, type FailureData } from "../../base/index.ts";
import type { PlannedFile } from "../../clients/index.ts";
import { loadConfig, resolveConfig, type RawConfig } from "../../config/index.ts";
import type { Host } from "../../host/index.ts";
import { stopBySignal } from "../open-host.ts";
import { RINGFENCE_ITSELF } from "../own-call.ts";

/** A file as it should be; without a text it goes. */
export type FileToCommit = Pick<PlannedFile, "path" | "before"> & { readonly after: string | undefined };

/** @returns the transaction. @throws Failure */
export async function commitFiles(host: Host, files: readonly FileToCommit[]): Promise<string> {
  const operations = files.map(({ path, before, after }) => {
    const seen = before === undefined ? { overwrite: false } : { if_hash: sha256(before) };
    if (after === undefined)
      return { op: "delete", path, ...(before === undefined ? {} : { if_hash: sha256(before) }) };
    return { op: "write_file", path, content: Buffer.from(after).toString("base64"), encoding: "base64", ...seen };
  });
  const { speak } = await (await import("../../host/index.ts")).loadLateParts();
  const call = {
    name: "change_files",
    arguments: { operations },
    meta: {},
    by: RINGFENCE_ITSELF,
    onProgress: () => undefined,
  };
  const outcome = await stopBySignal(async (signal) => await speak(host, { ...call, signal }));
  host.writeRecord();
  const { structuredContent } = JSON.parse(`{${outcome.members}}`) as Answer;
  const failure = outcome.meta?.["dev.ringfence/failure"] as FailureData | undefined;
  if (failure) throw new Failure(failure.code, failure.message, failure);
  return structuredContent?.transaction ?? "";
}

interface Answer {
  readonly structuredContent?: { readonly transaction?: string };
}

/** @param raw the flags of the command: only the state folder counts. @param paths files, whose folders are the roots */
export async function openFilesHost(raw: RawConfig, paths: readonly string[]): Promise<Host> {
  const { config } = await loadConfig(raw, {}, false);
  const folders = [...new Set(paths.map((path) => folderOf(dirname(path))))].sort((a, b) => a.length - b.length);
  const roots = folders.filter((one, index) => !folders.slice(0, index).some((top) => one.startsWith(`${top}/`)));
  const own = resolveConfig({
    roots: roots.map((root) => `${root}:rw`),
    stateDir: config.stateDir,
    // The person has seen the diff and said yes, and no model is near.
    mode: "bypass",
    results: "structured",
    baseline: "if_known",
    allowRootFs: true,
    secrets: { except: paths, redact: false },
  });
  const { Host } = await import("../../host/index.ts");
  const host = new Host({ config: { ...own, undo: config.undo } });
  host.recover();
  return host;
}

/** The deepest folder that is there. */
function folderOf(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : folderOf(dirname(path));
}
