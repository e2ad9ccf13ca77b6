/**
 * The tools' context inside a worker: the functions of `files` and `search`, bound to this worker's scope and to one job.
 */
import { Failure } from "../base/index.ts";
import type { FilesApi, HostFacts, ReadContext, SearchApi } from "../contract/index.ts";
import { diffFiles, hashFiles, readFile, readFiles, statPath } from "../files/index.ts";
import type { JobContext } from "../pool/index.ts";
import type { Scope } from "../scope/index.ts";
import { diskUsage, glob, grep, listDirectory, tree } from "../search/index.ts";
import { SPILL_ID } from "../state/index.ts";
import type { WorkerConfig } from "./worker-config.ts";

export interface ReadScopes {
  readonly scope: Scope;
  readonly spilled: () => Scope;
}

/** @param spilled the scope of outputs that were cut: their ids are paths in it */
export function createLocalContext(
  config: WorkerConfig,
  { scope, spilled }: ReadScopes,
  job: JobContext,
): ReadContext {
  const filesContext = {
    scope,
    ...job,
    ...(config.legacyEncoding ? { legacyEncoding: config.legacyEncoding } : {}),
  };
  const searchContext = { scope, ...job, skip: config.skip };
  const scopeFor = (path: string | undefined): { scope: Scope } => ({
    scope: path !== undefined && SPILL_ID.test(path) ? spilled() : scope,
  });
  const files: FilesApi = {
    read: (options) => readFile({ ...filesContext, ...scopeFor(options.path) }, options),
    readMany: async (options) => await readFiles(filesContext, options),
    stat: async (options) => statPath(filesContext, options),
    hash: async (options) => hashFiles(filesContext, options),
    diff: async (options) => diffFiles(filesContext, options),
  };
  const search: SearchApi = {
    list: async (options) => listDirectory(searchContext, options),
    tree: async (options) => tree(searchContext, options),
    usage: async (options) => diskUsage(searchContext, options),
    glob: async (options) => glob(searchContext, options),
    grep: async (options) => await grep({ ...searchContext, ...scopeFor(options.path) }, options),
  };
  return {
    files,
    search,
    facts: { ...config.facts, containment: scope.containment } satisfies HostFacts,
    ...job,
    secret: noSecret,
  };
}

function noSecret(name: string): never {
  throw new Failure("denied", `Cannot read the secret "${name}": built-in tools have none`);
}
