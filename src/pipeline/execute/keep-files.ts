/**
 * Files that a command's declaration names are kept before it runs; what it made of them afterwards is one transaction in
 * the history, and part of its answer. Without such a declaration nothing of this costs anything.
 */
import type { RunAnswer, RunRequest } from "../../contract/index.ts";
import type { KeepInput, NoteInput, NotedAfter } from "../../jobs/index.ts";
import type { CallPolicy } from "../call.ts";
import { changeJob, reachOf } from "../jobs.ts";
import type { Services } from "../services.ts";

/** @throws Failure when they cannot be kept; nothing has run then */
export async function runKeeping(
  host: Services,
  tool: string,
  request: RunRequest,
  { facts, mode, granted = [], skill }: CallPolicy,
  run: () => Promise<RunAnswer>,
): Promise<RunAnswer> {
  const globs = keptGlobs(host, request);
  if (globs.length === 0) return await run();
  const grants = [...host.policy.grants.rules().map(({ text }) => text), ...granted];
  const keep: KeepInput = { globs, ruling: { tool: facts, mode, grants, reach: reachOf(skill) } };
  const before = await changeJob(host, "keep_files", keep);
  const note = async (): Promise<NotedAfter> => {
    const input: NoteInput = { ...keep, ...before, tool, what: `Run ${nameOf(request)}` };
    return await changeJob(host, "note_kept", input);
  };
  let answer: RunAnswer;
  try {
    answer = await run();
  } catch (thrown) {
    // It may have run for a while all the same.
    await note();
    throw thrown;
  }
  const { transaction, files } = await note();
  if (transaction === undefined) return answer;
  host.audit.record("change", { tool, status: "applied", transaction, files });
  return withNoted(answer, { transaction, files });
}

/** What is kept before it. */
export function keptGlobs({ config }: Services, request: RunRequest): readonly string[] {
  const declared = request.kind === "command" ? config.commands[request.name] : config.shell;
  return declared?.snapshot ?? [];
}

function nameOf(request: RunRequest): string {
  if (request.kind === "shell") return "a command line";
  return request.kind === "program" ? request.program : request.name;
}

/** The lines that were found out, in the places of the files that were tracked. */
function withNoted(answer: RunAnswer, { transaction, files }: Required<NotedAfter>): RunAnswer {
  const undo = { transaction, files: files.map(({ path }) => path) };
  if (answer.files === undefined || answer.files === "untracked")
    return { ...answer, undo, files: answer.files ?? "untracked" };
  const lines = new Map(files.map(({ path, added, removed }) => [path, { added, removed }]));
  const add = <T extends { readonly path: string }>(tracked: readonly T[]): T[] =>
    tracked.map((one) => ({ ...one, ...lines.get(one.path) }));
  const { created, changed, removed, total } = answer.files;
  return {
    ...answer,
    undo,
    files: { created: add(created), changed: add(changed), removed: add(removed), total },
  };
}
