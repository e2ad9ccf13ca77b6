/**
 * What the reading workers do: a built-in read tool, one function of a tool's context for a tool that runs elsewhere, or
 * the canonical path of an object. Adding a tool adds nothing here.
 */
import { Failure, type AnswerBounds } from "../../base/index.ts";
import { resultFacts, resultMembers, type ReadFacts, type Tool, type ToolResult } from "../../contract/index.ts";
import { EFFECTS, type Redactor } from "../../policy/index.ts";
import { ResultText, packAnswer, type JobContext, type JobHandler, type JobResult } from "../../pool/index.ts";
import { resolveNew, Scope } from "../../scope/index.ts";
import { answerPart, completePath } from "../../search/index.ts";
import { spillFolder } from "../../state/index.ts";
import { lookBelow } from "../change/look-below.ts";
import { checkTouched } from "../change/touched-paths.ts";
import type { Handlers, LookJobs } from "../job-table.ts";
import { startOfLine } from "../../text/index.ts";
import { createLocalContext, createSearchContext, type Ground } from "./local-context.ts";
import {
  createWholeContext,
  fillMemoryHere,
  keepMadeVectors,
  type LocalContext,
  pendingOfMemory,
} from "./memory-context.ts";
import { redactorOf, withRedaction, withSystemErrors } from "../redact-failures.ts";
import { firstFiles, readResource, takeMarks, type ResourceInput } from "./resource-jobs.ts";
import { createRuledScopes, isOpen, openScope, type RuledInput, type Ruling } from "../ruled-scopes.ts";
import { parseWorkerConfig, type AnswerLimits, type WorkerConfig } from "../worker-config.ts";

export function createReadHandler(configText: string, tools: readonly Tool[]): JobHandler {
  const config = parseWorkerConfig(configText);
  const { stateDir } = config;
  const spilled = openOnce(stateDir);
  const indexed = openWhole(config);
  const own: Ground = { scope: openScope(config.scope, config.rootFds, undefined, true), spilled, indexed };
  const ruledScope = createRuledScopes(config);
  const redactor = redactorOf(config.policy);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  return withRedaction(
    withSystemErrors(async (name, text, job) => {
      if (!name.startsWith(RULED)) return await run(name, text, own, job);
      const { ruling, input } = JSON.parse(text) as RuledInput;
      const ground = { scope: ruledScope(ruling), ruling, spilled, indexed };
      return await run(name.slice(RULED.length), input, ground, sharingUnder(ruling, job));
    }),
    redactor,
  );

  async function run(name: string, text: string, ground: Ground, job: JobContext): Promise<JobResult> {
    const cut = name.indexOf(":");
    const [kind, target] = [name.slice(0, Math.max(0, cut)), name.slice(cut + 1)];
    // The form of what a search hands to another worker is its own.
    if (kind === "part") return { payload: await answerPart(createSearchContext(config, ground, job), target, text) };
    const input: unknown = JSON.parse(text);
    const means = { config, redactor, ground, ruledScope, job };
    if (kind === "tool") return packAnswer(await runTool(byName.get(target), input, means));
    if (kind === "context")
      return packAnswer(await runContextFunction(target, input, createWholeContext(config, ground, job)));
    if (!Object.hasOwn(LOOK, name)) throw new Error(`unknown job ${name}`);
    return packAnswer(await LOOK[name as keyof LookJobs](input as never, means, job));
  }
}

export interface ReadMeans {
  readonly config: WorkerConfig;
  readonly redactor: Redactor | undefined;
  readonly ground: Ground;
  readonly ruledScope: (ruling: Ruling) => Scope;
  readonly job: JobContext;
}

const LOOK: Handlers<LookJobs, [ReadMeans]> = {
  touched: (paths, { config, ground }, { cancel }) =>
    checkTouched({ scope: ground.scope, configFiles: config.policy.configFiles, cancel }, paths),
  below: (input, { config, ground }, { cancel }) =>
    lookBelow(input, { scope: ground.scope, configFiles: config.policy.configFiles, cancel }),
  resource: runResource,
  first_files: async (input, { config, ground, ruledScope }, job) =>
    await firstFiles(input, createLocalContext(config, ground, job), ruledScope),
  watch: ({ resources }, { config, ground }) => takeMarks(resources, ground.scope, config.stateDir),
  complete({ beginning, of }, { config, ground, ruledScope }, job) {
    const scope = ruledScope(of);
    // What the rules of the list leave, and of that what the rules of the tool leave whose argument it would be.
    const context = createSearchContext(config, ground, job);
    return completePath(context, beginning, (path) => isOpen(scope, path));
  },
  memory_fill: fillMemoryHere,
  memory_pending: pendingOfMemory,
  memory_keep: keepMadeVectors,
  resolve({ path, mayBeNew = false }, { ground: { scope } }) {
    const at = scope.locate(path, "resolve");
    return scope.absolute(mayBeNew ? resolveNew(scope, at, "resolve") : scope.resolve(at, "resolve"));
  },
};

async function runTool(
  tool: Tool | undefined,
  input: unknown,
  { config, redactor, job, ground }: ReadMeans,
): Promise<ResultText<ReadFacts>> {
  if (!tool?.run || !EFFECTS[tool.effect].onlyReads) throw new Error(`no read tool ${tool?.name}`);
  const run = tool.run.bind(tool);
  const make = async (bounds: AnswerBounds): Promise<ResultText<ReadFacts>> => {
    const ctx = createWholeContext(config, ground, job, redactor, bounds);
    const result = (await run(input as never, ctx as never)) as ToolResult;
    return new ResultText(resultMembers(result, config.facts.results, redactor), resultFacts(result));
  };
  return tool.pages ? await fitAnswer(config.answers, make) : await make(config.answers);
}

async function runResource(
  input: ResourceInput,
  { config, redactor, job, ground }: ReadMeans,
): Promise<ResultText<ReadFacts>> {
  return await fitAnswer(config.answers, async (bounds) => {
    const ctx = createLocalContext(config, ground, job, undefined, bounds);
    return await readResource(input, { ctx, stateDir: config.stateDir, redact: redactor, bounds });
  });
}

const RULED = "ruled:";

/** What another worker does of the job is done under the same rules. */
function sharingUnder(ruling: Ruling, job: JobContext): JobContext {
  return {
    ...job,
    share: async (name, input) => await job.share(RULED + name, JSON.stringify({ ruling, input } satisfies RuledInput)),
  };
}

/** Most workers never look at one. */
function openOnce(stateDir: string): () => Scope {
  let spilled: Scope | undefined;
  return () => (spilled ??= new Scope({ roots: [{ path: spillFolder(stateDir), readOnly: true }] }));
}

/** Most workers never search the memory. */
function openWhole(config: WorkerConfig): () => Scope {
  let whole: Scope | undefined;
  return () => (whole ??= openScope(config.scope, config.rootFds));
}

async function runContextFunction(target: string, options: unknown, ctx: LocalContext): Promise<unknown> {
  const [group, name] = target.split(".");
  const api = (group === "files" || group === "search" || group === "memory" ? ctx[group] : {}) as Readonly<
    Record<string, (options: unknown) => Promise<unknown>>
  >;
  const run = name !== undefined && Object.hasOwn(api, name) ? api[name] : undefined;
  if (!run)
    throw new Failure("unsupported", `Cannot call ${target}: there is no such function`, {
      hint: "A tool has the functions of its context: files, search and memory.",
    });
  return await run(options);
}

/** One or two are enough where the text is alike everywhere. */
const MAX_TRIES = 5;
/** Numbers in the note may have more digits than before. */
const SLACK_BYTES = 16;

export async function fitAnswer<Facts>(
  answers: AnswerLimits,
  make: (bounds: AnswerBounds) => Promise<ResultText<Facts>>,
): Promise<ResultText<Facts>> {
  let made = await make(answers);
  let room: number | undefined = answers.mostBytes;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    room = smallerRoom(made.text, room, answers);
    if (room === undefined || room < 1) break;
    made = await make({ ...answers, usualBytes: room, mostBytes: room });
  }
  return made;
}

/** The bytes of text with which the answer may fit; `undefined` where it fits already. */
function smallerRoom(
  made: string,
  room: number,
  { resultBytes = Infinity, resultLines = Infinity }: AnswerLimits,
): number | undefined {
  if (Buffer.byteLength(made) > resultBytes) {
    const { has, may } = textOf(made, resultBytes);
    // What a tool puts around its text is not in the room that it is given.
    return Math.min(room, has) - (has - may) - SLACK_BYTES;
  }
  if (resultLines === Infinity) return undefined;
  const { text } = textOf(made, Infinity);
  const end = startOfLine(text, resultLines + 1);
  return end === text.length ? undefined : Math.min(room - 1, Buffer.byteLength(text.slice(0, end)));
}

interface Members {
  readonly content?: readonly { readonly text?: string }[];
  readonly contents?: readonly { readonly text?: string; readonly blob?: string }[];
  readonly structuredContent?: unknown;
}

/** The text that there is, and as much as leaves room for its note and its envelope, which do not change with it. */
function textOf(payload: string, bytes: number): { readonly text: string; readonly has: number; readonly may: number } {
  const { content = [], contents, structuredContent } = JSON.parse(`{${payload}}`) as Members;
  const [first] = contents ?? [];
  const text = first?.text ?? first?.blob ?? content.findLast((block) => block.text !== undefined)?.text ?? "";
  const growing = sizeOf(text) + (structuredContent === undefined ? 0 : sizeOf(structuredContent));
  const fixed = Buffer.byteLength(payload) - growing;
  const has = Buffer.byteLength(text);
  return { text, has, may: Math.floor(((bytes - fixed) * has) / growing) };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
