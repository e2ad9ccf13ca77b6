/**
 * What the reading workers do: a built-in read tool, one function of a tool's context for a tool that runs elsewhere, or
 * the canonical path of an object. Adding a tool adds nothing here.
 */
import { Failure } from "../base/index.ts";
import type { ReadContext, Tool } from "../contract/index.ts";
import type { JobContext, JobHandler, JobResult } from "../pool/index.ts";
import { Scope } from "../scope/index.ts";
import { spillFolder } from "../state/index.ts";
import { createLocalContext, type ReadScopes } from "./local-context.ts";
import { resultFacts, resultMembers } from "../contract/index.ts";
import { checkTouched } from "./check-touched.ts";
import { withSystemErrors } from "./system-errors.ts";
import { parseWorkerConfig } from "./worker-config.ts";

/** Job names: `tool:<name>`, `context:<files|search>.<function>`, `resolve`, `touched`. */
export function createReadHandler(configText: string, tools: readonly Tool[]): JobHandler {
  const config = parseWorkerConfig(configText);
  const scope = new Scope({ ...config.scope, rootFds: config.rootFds });
  const scopes: ReadScopes = { scope, spilled: openOnce(config.stateDir) };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  return withSystemErrors(async (name, input, job) => {
    const cut = name.indexOf(":");
    const target = name.slice(cut + 1);
    switch (name.slice(0, Math.max(0, cut)) || name) {
      case "tool":
        return await runTool(target, input, job);
      case "context":
        return await runContextFunction(target, input, createLocalContext(config, scopes, job));
      case "touched":
        return { payload: JSON.stringify(checkTouched(scope, input)) };
      case "resolve":
        return { payload: JSON.stringify(resolvePath(input)) };
      default:
        throw new Error(`unknown job ${name}`);
    }
  });

  async function runTool(target: string, input: string, job: JobContext): Promise<JobResult> {
    const tool = byName.get(target);
    if (tool?.effect !== "read") throw new Error(`no read tool ${target}`);
    // The main thread has validated the input; this is the same object again.
    const result = await tool.run(JSON.parse(input) as never, createLocalContext(config, scopes, job));
    return { payload: resultMembers(result, config.facts.results), facts: resultFacts(result) };
  }

  function resolvePath(input: string): string {
    const { path } = JSON.parse(input) as { path: string };
    return scope.absolute(scope.resolve(scope.locate(path, "resolve"), "resolve"));
  }
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
