/**
 * What a tool has of the memory inside a worker: notes are read in the scope of the tool, and searched in what the index has of
 * them, of which the answer has what that scope leaves.
 */
import type { MemoryApi } from "../../contract/index.ts";
import type { FilesContext } from "../../files/index.ts";
import { listNotes, loadMemorySearch, readNote } from "../../memory/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { memoryIndexFile } from "../../state/index.ts";
import type { WorkerConfig } from "../worker-config.ts";
import { createSearchContext, type Ground } from "./local-context.ts";

export function createMemory(config: WorkerConfig, ground: Ground, job: JobContext, files: FilesContext): MemoryApi {
  return {
    read: async (ask) => await readNote(files, ask),
    list: async (ask) => listNotes(files, ask),
    async search(ask) {
      const { searchMemory } = await loadMemorySearch();
      const whole = createSearchContext(config, { ...ground, scope: ground.indexed() }, job);
      const { cancel, deadlineMs } = job;
      const sources = config.memory?.sources ?? [];
      const file = memoryIndexFile(config.stateDir);
      return await searchMemory({ whole, scope: ground.scope, file, sources, cancel, deadlineMs }, ask);
    },
  };
}
