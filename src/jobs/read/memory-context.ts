/**
 * What a tool has of the memory inside a worker: notes are read in the scope of the tool, and searched in what the index has of
 * them, of which the answer has what that scope leaves. And the jobs by which missing vectors come into the index.
 */
import type { AnswerBounds } from "../../base/index.ts";
import type { MemoryApi, ReadContext } from "../../contract/index.ts";
import type { FilesContext } from "../../files/index.ts";
import { listNotes, loadMemorySearch, memoryRoot, openDocuments, readNote } from "../../memory/index.ts";
import type { MadeVectors, MemorySearchContext, Pending, PendingAsk } from "../../memory/index.ts";
import { redactInPlace, withoutSecrets, type Redactor } from "../../policy/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { memoryIndexFile } from "../../state/index.ts";
import type { WorkerConfig } from "../worker-config.ts";
import { redactorOf } from "../redact-failures.ts";
import { createFilesContext, createLocalContext, createSearchContext, type Ground } from "./local-context.ts";

/** What a tool may need of what workers do. */
export interface LocalContext extends ReadContext {
  readonly memory: MemoryApi;
}

/** As `createLocalContext`, with the memory. */
export function createWholeContext(
  config: WorkerConfig,
  ground: Ground,
  job: JobContext,
  redact?: Redactor,
  bounds?: AnswerBounds,
): LocalContext {
  // Of the tools that read, most read no notes.
  const files = (): FilesContext => createFilesContext(config, ground, job, redact, bounds);
  const memory: MemoryApi = {
    read: async (ask) => await readNote(files(), ask),
    list: async (ask) => listNotes(files(), ask),
    async search(ask) {
      const { searchMemory } = await loadMemorySearch();
      return await searchMemory(searchContext(config, ground, job), ask);
    },
  };
  return { ...createLocalContext(config, ground, job, redact, bounds), memory };
}

function searchContext(config: WorkerConfig, ground: Ground, job: JobContext): MemorySearchContext {
  const { sources = [], embedder } = config.memory ?? {};
  const redact = redactorOf(config.policy);
  return {
    whole: createSearchContext(config, { ...ground, scope: ground.indexed() }, job),
    scope: ground.scope,
    file: indexFile(config, ground),
    sources,
    hideSecrets: (text) => (redact ? redactInPlace(text, redact) : text),
    ...(embedder && "file" in embedder ? { model: embedder } : {}),
    cancel: job.cancel,
    deadlineMs: job.deadlineMs,
  };
}

/**
 * The index of the notes there are, and of the documents where there are any: other roots have others. What has secrets in it
 * is not for a host that replaces them, which could not tell the rest of a key in a piece.
 */
function indexFile(
  { stateDir, memory, ignore, gitignore, skip, scope, policy }: WorkerConfig,
  { indexed }: Ground,
): string {
  const whole = indexed();
  const { sources = [] } = memory ?? {};
  const roots = whole.roots.filter(({ isMemory }) => !isMemory).map(({ handle }) => handle.canonical);
  const about = [roots, sources, ignore, gitignore, skip, scope.deny, scope.except];
  return memoryIndexFile(stateDir, [
    memoryRoot(whole).root.handle.canonical,
    ...(sources.length > 0 ? about : []),
    ...(policy.redactionKey === undefined ? ["with secrets"] : []),
  ]);
}

interface Filling {
  readonly config: WorkerConfig;
  readonly ground: Ground;
  readonly redactor: Redactor | undefined;
}

export async function fillMemoryHere(
  { ms }: { readonly ms: number },
  { config, ground }: Filling,
  job: JobContext,
): Promise<number> {
  const { fillMemory } = await loadMemorySearch();
  return await fillMemory(searchContext(config, ground, job), ms);
}

/** What leaves the machine is what the asking tool may see, without secrets. */
export async function pendingOfMemory(
  ask: PendingAsk,
  { config, ground, redactor }: Filling,
): Promise<readonly Pending[]> {
  const { takePending } = await loadMemorySearch();
  const pending = await takePending(indexFile(config, ground), ask, openDocuments(ground.scope));
  return pending.map(({ id, hash, text }) => ({ id, hash, text: withoutSecrets(text, redactor) }));
}

export async function keepMadeVectors(made: MadeVectors, { config, ground }: Filling): Promise<number> {
  const { keepMade } = await loadMemorySearch();
  return await keepMade(indexFile(config, ground), made);
}
