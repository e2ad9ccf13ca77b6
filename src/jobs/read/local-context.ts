/**
 * The tools' context inside a worker: the functions of `files` and `search`, bound to this worker's scope and to one job.
 */
import { Failure, type AnswerBounds } from "../../base/index.ts";
import type { FilesApi, HostFacts, ReadContext, SearchApi } from "../../contract/index.ts";
import { diffFiles, hashFiles, readFile, readFiles, statPath, type SecretLook } from "../../files/index.ts";
import { findBegun, type Redactor } from "../../policy/index.ts";
import type { JobContext } from "../../pool/index.ts";
import type { Scope } from "../../scope/index.ts";
import { diskUsage, glob, grep, listDirectory, tree, type SearchContext } from "../../search/index.ts";
import { SPILL_ID, SpillStore } from "../../state/index.ts";
import type { Ruling } from "../ruled-scopes.ts";
import { searchApart } from "./search-apart.ts";
import type { WorkerConfig } from "../worker-config.ts";

/** Where a job works, and by which rules that is closed in part. */
export interface Ground {
  readonly scope: Scope;
  readonly ruling?: Ruling;
  /** The scope of outputs that were cut: their ids are paths in it. */
  readonly spilled: () => Scope;
}

/**
 * @param redact of a tool whose answer is for a model: a range is judged by what is around it too
 * @param bounds of its answer
 */
export function createLocalContext(
  config: WorkerConfig,
  ground: Ground,
  job: JobContext,
  redact?: Redactor,
  bounds: AnswerBounds = config.answers,
): ReadContext {
  const { scope } = ground;
  const filesContext = {
    scope,
    ...job,
    bounds,
    keep: (text: string) => new SpillStore(config.stateDir).put(text),
    ...(redact ? { secrets: secretLook(redact) } : {}),
    ...(config.legacyEncoding ? { legacyEncoding: config.legacyEncoding } : {}),
  };
  const searchContext = createSearchContext(config, ground, job, bounds);
  const scopeFor = (path: string | undefined): Scope =>
    path !== undefined && SPILL_ID.test(path) ? ground.spilled() : scope;
  const files: FilesApi = {
    read: (options) => readFile({ ...filesContext, scope: scopeFor(options.path) }, options),
    readMany: async (options) => await readFiles(filesContext, options),
    stat: async (options) => await statPath(filesContext, options),
    hash: async (options) => await hashFiles(filesContext, options),
    diff: async (options) => diffFiles(filesContext, options),
  };
  const search: SearchApi = {
    list: async (options) => await listDirectory(searchContext, options),
    tree: async (options) => await tree(searchContext, options),
    usage: async (options) => await diskUsage(searchContext, options),
    glob: async (options) => await glob(searchContext, options),
    grep: async (options) => await grep({ ...searchContext, scope: scopeFor(options.path) }, options),
  };
  return {
    files,
    search,
    facts: { ...config.facts, containment: scope.containment } satisfies HostFacts,
    ...job,
    secret: noSecret,
  };
}

/** The context of a search, or of a part of one. */
export function createSearchContext(
  config: WorkerConfig,
  ground: Ground,
  job: JobContext,
  bounds: AnswerBounds = config.answers,
): SearchContext {
  const apart = searchApart(config, ground.ruling, job, bounds);
  return { scope: ground.scope, ...job, skip: config.skip, bounds, ...(apart ? { apart } : {}) };
}

function noSecret(name: string): never {
  throw new Failure("denied", `Cannot read the secret "${name}": built-in tools have none`);
}

function secretLook(redact: Redactor): SecretLook {
  return { redact, findBegun: (before, shown) => findBegun(before, shown, redact) };
}
