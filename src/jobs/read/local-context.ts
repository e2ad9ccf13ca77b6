/**
 * The tools' context inside a worker: the functions of `files` and `search`, bound to this worker's scope and to one job. A
 * search can also run in a process of its own, which searches once and ends: the worker's side starts it with the roots that
 * the host holds. Whatever a pattern does in there, the process can be killed.
 */
import { readFileSync, writeSync } from "node:fs";
import { createCancel, Failure, failureFromData, monotonicMs } from "../../base/index.ts";
import type { AnswerBounds, FailureData } from "../../base/index.ts";
import type { FilesApi, HostFacts, ReadContext, SearchApi } from "../../contract/index.ts";
import {
  attachFile,
  diffFiles,
  type FilesContext,
  hashFiles,
  readFile,
  readFiles,
  readPicture,
  type SecretLook,
  statPath,
} from "../../files/index.ts";
import { findBegun, hideKeys, type Redactor } from "../../policy/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { FIRST_APART_FD, runApart } from "../../proc/index.ts";
import type { Scope } from "../../scope/index.ts";
import { diskUsage, findReplacements, glob, grep, listDirectory, tree } from "../../search/index.ts";
import type { GrepOptions, SearchContext } from "../../search/index.ts";
import { SPILL_ID, SpillStore } from "../../state/index.ts";
import { redactorOf } from "../redact-failures.ts";
import { createRuledScopes, openScope, type Ruling } from "../ruled-scopes.ts";
import type { WorkerConfig } from "../worker-config.ts";
import { showApart } from "./show-apart.ts";

/** Where a job works, and by which rules that is closed in part. */
export interface Ground {
  readonly scope: Scope;
  readonly ruling?: Ruling;
  /** The scope of outputs that were cut: their ids are paths in it. */
  readonly spilled: () => Scope;
  /** All roots with the memory, by no rules but those of secrets: what its index is about. */
  readonly indexed: () => Scope;
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
  const filesContext = createFilesContext(config, ground, job, redact, bounds);
  const searchContext = createSearchContext(config, ground, job, bounds, redact !== undefined);
  const scopeFor = (path: string | undefined): Scope =>
    path !== undefined && SPILL_ID.test(path) ? ground.spilled() : scope;
  const files: FilesApi = {
    read: (options) => readFile({ ...filesContext, scope: scopeFor(options.path) }, options),
    readMany: async (options) => await readFiles(filesContext, options),
    stat: async (options) => await statPath(filesContext, options),
    hash: async (options) => await hashFiles(filesContext, options),
    diff: async (options) => diffFiles(filesContext, options),
    picture: async (options) => await readPicture(filesContext, options),
    // Whoever asks for it: what is sent goes past a client, and through no code that could replace a secret in it.
    attach: async (options) =>
      await attachFile({ ...filesContext, ...lookFor(redact ?? redactorOf(config.policy)) }, options),
  };
  const search: SearchApi = {
    list: async (options) => await listDirectory(searchContext, options),
    tree: async (options) => await tree(searchContext, options),
    usage: async (options) => await diskUsage(searchContext, options),
    glob: async (options) => await glob(searchContext, options),
    grep: async (options) => await grep({ ...searchContext, scope: scopeFor(options.path) }, options),
    replacements: async (options) =>
      await findReplacements(searchContext, { ...options, legacy: config.legacyEncoding }),
  };
  return {
    files,
    search,
    facts: { ...config.facts, containment: scope.containment } satisfies HostFacts,
    ...job,
    secret: noSecret,
  };
}

export function createFilesContext(
  config: WorkerConfig,
  { scope }: Pick<Ground, "scope">,
  job: JobContext,
  redact?: Redactor,
  bounds: AnswerBounds = config.answers,
): FilesContext {
  return {
    scope,
    ...job,
    bounds,
    keep: (content: string | Uint8Array) => new SpillStore(config.stateDir).put(content),
    showPicture: showApart(job),
    ...lookFor(redact),
    ...(config.legacyEncoding ? { legacyEncoding: config.legacyEncoding } : {}),
  };
}

/** The context of a search, or of a part of one. @param hidesKeys in what it shows */
export function createSearchContext(
  config: WorkerConfig,
  ground: Ground,
  job: JobContext,
  bounds: AnswerBounds = config.answers,
  hidesKeys: boolean = false,
): SearchContext {
  const apart = searchApart(config, ground.ruling, job, { bounds, hidesKeys });
  const { skip, ignore, gitignore } = config;
  return { scope: ground.scope, ...job, skip, ignore, gitignore, bounds, hidesKeys, ...(apart ? { apart } : {}) };
}

function noSecret(name: string): never {
  throw new Failure("denied", `Cannot read the secret "${name}": built-in tools have none`);
}

function lookFor(redact: Redactor | undefined): { readonly secrets?: SecretLook } {
  return redact
    ? {
        secrets: {
          redact,
          hideKeys: (text) => hideKeys(text, redact),
          findBegun: (before, shown) => findBegun(before, shown, redact),
        },
      }
    : {};
}

interface ApartRequest {
  readonly config: WorkerConfig;
  /** The rules that the search is held to, as the worker is. */
  readonly ruling?: Ruling | undefined;
  readonly options: GrepOptions;
  readonly bounds: AnswerBounds;
  readonly hidesKeys: boolean;
  readonly leftMs: number;
}

/** `text` is the answer as JSON. */
type ApartReply = { readonly text: string } | { readonly failure: FailureData } | { readonly bug: string };

/** `undefined` where this host may start nothing: then the worker searches itself. */
function searchApart(
  { apart, ...config }: WorkerConfig,
  ruling: Ruling | undefined,
  { cancel, deadlineMs }: JobContext,
  answer: Pick<ApartRequest, "bounds" | "hidesKeys">,
): ((options: string) => Promise<string>) | undefined {
  if (!apart) return undefined;
  return async (options) => {
    const fds = config.rootFds;
    // What it finds is redacted here; it need not know how.
    const { redactionKey: _key, ...policy } = config.policy;
    const request: ApartRequest = {
      config: { ...config, policy, rootFds: fds.map((_, at) => FIRST_APART_FD + at) },
      ruling,
      options: JSON.parse(options) as GrepOptions,
      ...answer,
      leftMs: deadlineMs - monotonicMs(),
    };
    const output = await runApart(apart, { input: JSON.stringify(request), fds, cancel });
    const reply = JSON.parse(output) as ApartReply;
    if ("failure" in reply) throw failureFromData(reply.failure);
    if ("bug" in reply) throw new Error(reply.bug);
    return reply.text;
  };
}

/** The whole life of the process. @param parent without which it ends */
export async function serveSearchApart(parent: number): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(await replyTo(readFileSync(0, "utf8"), parent)), "utf8");
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
  } catch {
    // Nobody waits for it any more.
  }
}

async function replyTo(input: string, parent: number): Promise<ApartReply> {
  try {
    const { config, ruling, options, bounds, hidesKeys, leftMs } = JSON.parse(input) as ApartRequest;
    const cancel = createCancel(monotonicMs() + leftMs, () => process.ppid !== parent);
    using scope = ruling ? createRuledScopes(config)(ruling) : openScope(config.scope, config.rootFds, undefined, true);
    const { skip, ignore, gitignore } = config;
    const ctx = { scope, cancel, progress: () => {}, skip, ignore, gitignore, bounds, hidesKeys };
    return { text: JSON.stringify(await grep(ctx, options)) };
  } catch (thrown) {
    if (thrown instanceof Failure) return { failure: thrown.data };
    return { bug: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}
