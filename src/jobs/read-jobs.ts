/**
 * What the reading workers do: a built-in read tool, one function of a tool's context for a tool that runs elsewhere, or
 * the canonical path of an object. Adding a tool adds nothing here.
 */
import { Failure, type AnswerBounds } from "../base/index.ts";
import type { ReadContext, Tool } from "../contract/index.ts";
import type { Redactor } from "../policy/index.ts";
import type { JobContext, JobHandler, JobResult } from "../pool/index.ts";
import { answerPart, completePath, type PathCompletions } from "../search/index.ts";
import { spillFolder } from "../state/index.ts";
import { checkTouched } from "./check-touched.ts";
import { fitAnswer } from "./fit-answer.ts";
import { createLocalContext, createSearchContext, type Ground } from "./local-context.ts";
import { resultFacts, resultMembers } from "../contract/index.ts";
import { Scope } from "../scope/index.ts";
import { openScope } from "./open-scope.ts";
import { lookBelow } from "./look-below.ts";
import { redactorOf, withRedaction } from "./redact-failures.ts";
import { firstFiles, readResource, takeMarks } from "./resource-jobs.ts";
import { createRuledScopes, isOpen, type RuledInput, type Ruling } from "./ruled-scopes.ts";
import { withSystemErrors } from "./system-errors.ts";
import { parseWorkerConfig, type WorkerConfig } from "./worker-config.ts";

/**
 * Job names: `tool:<name>`, `context:<files|search>.<function>`, `part:<search>`, `resolve`, `touched`, `below`, `resource`, `watch`,
 * `complete`, `first_files`; `ruled:` before one of them when rules keep paths from the tool, with an input of the form `RuledInput`.
 */
export interface CompletionInput {
  readonly beginning: string;
  /** The tool that would get the path. */
  readonly of: Ruling;
}

export function createReadHandler(configText: string, tools: readonly Tool[]): JobHandler {
  const config = parseWorkerConfig(configText);
  const { stateDir } = config;
  const spilled = openOnce(stateDir);
  const own: Ground = { scope: openScope(config.scope, config.rootFds), spilled };
  const ruledScope = createRuledScopes(config);
  const redactor = redactorOf(config.policy);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  return withRedaction(
    withSystemErrors(async (name, input, job) => {
      if (!name.startsWith(RULED)) return await run(name, input, job, own);
      const { ruling, input: inner } = JSON.parse(input) as RuledInput;
      const ground = { scope: ruledScope(ruling), ruling, spilled };
      return await run(name.slice(RULED.length), inner, sharingUnder(ruling, job), ground);
    }),
    redactor,
  );

  async function run(name: string, input: string, job: JobContext, ground: Ground): Promise<JobResult> {
    const cut = name.indexOf(":");
    const target = name.slice(cut + 1);
    const context = (): ReadContext => createLocalContext(config, ground, job);
    switch (name.slice(0, Math.max(0, cut)) || name) {
      case "tool":
        return await runTool(byName.get(target), input, { config, redactor, job, ground });
      case "context":
        return await runContextFunction(target, input, context());
      case "part":
        return { payload: await answerPart(createSearchContext(config, ground, job), target, input) };
      case "touched":
        return { payload: JSON.stringify(checkTouched(ground.scope, input)) };
      case "below":
        return { payload: lookBelow(input, ground.scope, config.policy.configFiles, job) };
      case "resource":
        return await runResource(input, { config, redactor, job, ground });
      case "first_files":
        return { payload: await firstFiles(input, context(), ruledScope) };
      case "watch":
        return { payload: JSON.stringify(takeMarks(input, ground.scope, stateDir)) };
      case "complete":
        return { payload: JSON.stringify(complete(input, job, ground)) };
      case "resolve":
        return { payload: JSON.stringify(resolvePath(input, ground.scope)) };
      default:
        throw new Error(`unknown job ${name}`);
    }
  }

  /** What the rules of the list leave, and, of that, what those of the tool leave whose argument it would be. */
  function complete(input: string, job: JobContext, ground: Ground): PathCompletions {
    const { beginning, of } = JSON.parse(input) as CompletionInput;
    const scope = ruledScope(of);
    return completePath(createSearchContext(config, ground, job), beginning, (path) => isOpen(scope, path));
  }
}

interface Means {
  readonly config: WorkerConfig;
  readonly redactor: Redactor | undefined;
  readonly job: JobContext;
  readonly ground: Ground;
}

async function runTool(
  tool: Tool | undefined,
  input: string,
  { config, redactor, job, ground }: Means,
): Promise<JobResult> {
  if (tool?.effect !== "read") throw new Error(`no read tool ${tool?.name}`);
  const make = async (bounds: AnswerBounds): Promise<JobResult> => {
    // The main thread has validated the input; this is the same object again.
    const ctx = createLocalContext(config, ground, job, redactor, bounds);
    const result = await tool.run(JSON.parse(input) as never, ctx);
    return { payload: resultMembers(result, config.facts.results, redactor), facts: resultFacts(result) };
  };
  return tool.pages ? await fitAnswer(config.answers, make) : await make(config.answers);
}

async function runResource(input: string, { config, redactor, job, ground }: Means): Promise<JobResult> {
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
    share: async (name, input) =>
      await job.share(RULED + name, JSON.stringify({ ruling, input } satisfies RuledInput)),
  };
}

function resolvePath(input: string, scope: Scope): string {
  const { path } = JSON.parse(input) as { path: string };
  return scope.absolute(scope.resolve(scope.locate(path, "resolve"), "resolve"));
}

/** Most workers never look at one. */
function openOnce(stateDir: string): () => Scope {
  let spilled: Scope | undefined;
  return () => (spilled ??= new Scope({ roots: [{ path: spillFolder(stateDir), readOnly: true }] }));
}

async function runContextFunction(target: string, input: string, ctx: ReadContext): Promise<JobResult> {
  const [group, name] = target.split(".");
  const api = (group === "files" ? ctx.files : ctx.search) as unknown as Readonly<
    Record<string, (options: unknown) => Promise<unknown>>
  >;
  const run = name !== undefined && Object.hasOwn(api, name) ? api[name] : undefined;
  if (!run) throw new Failure("unsupported", `Cannot call ${target}: there is no such function`);
  return { payload: JSON.stringify(await run(JSON.parse(input))) };
}
