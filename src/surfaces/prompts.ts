/**
 * Prompts for what people ask of an agent on files: to explain one, to show them around a project, and to look over what
 * was changed here. What a prompt needs of the files comes with it, read like a resource or by the tool itself, under the
 * same rules, budget and record.
 */
import { isObject } from "../base/index.ts";
import { callMethod } from "../methods/index.ts";
import { callOf, dispatch, type Services } from "../pipeline/index.ts";
import { nearestNames, truncateUtf8 } from "../text/index.ts";
import { invalidParams, type RpcError } from "../wire/index.ts";
import { fileCall, succeeded, type SurfaceRequest } from "./resources.ts";

type Members = Readonly<Record<string, unknown>>;
type Arguments = Readonly<Record<string, string>>;

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** Without it there is no such prompt. */
  readonly needs: string;
  readonly blocks: (asked: SurfaceRequest, args: Arguments) => Promise<readonly Members[]>;
}

/** What a question or a focus may be long. */
const MAX_ARGUMENT_CHARS = 4096;
/** Diffs that are shown with a prompt. */
const MAX_DIFF_BYTES: number = 128 * 1024;
const MAX_PROPOSALS = 20;
const MAX_TRANSACTIONS = 20;

const PROMPTS: readonly Prompt[] = [
  {
    name: "explain_file",
    title: "Explain a file",
    description: "Explains one file: what it is for, how it works, what to know before it is changed.",
    arguments: [
      { name: "path", description: "The file", required: true },
      { name: "question", description: "What you want to know of it", required: false },
    ],
    needs: "read_file",
    async blocks(asked, { path = "", question }) {
      const ask =
        question ??
        "What is it for, how does it work, and what must one know before changing it? Name the lines you mean.";
      return [text(`Look at the file ${path}, which follows. ${ask}`), await embedded(asked, path)];
    },
  },
  {
    name: "tour_project",
    title: "Show me around",
    description: "An overview of a directory: what is where, where to begin to read, how it is built and tested.",
    arguments: [
      { name: "path", description: "The directory; default: the first root", required: false },
      { name: "focus", description: "What you are interested in most", required: false },
    ],
    needs: "tree",
    async blocks(asked, { path = ".", focus }) {
      const wish = focus === undefined ? "" : ` I am interested most in: ${focus}.`;
      const shown = await treeText(asked, path);
      return [
        text(
          `Show me around ${path === "." ? "this project" : `the directory ${path}`}.${wish} Read its README and its build files first, then say in a page: what it is, what is where, where to begin to read, how it is built and tested. Say what you have not looked at. Its tree:\n\n${shown}`,
        ),
      ];
    },
  },
  {
    name: "review_changes",
    title: "Review the changes",
    description: "Looks over the changes that wait for approval and those that were made last, with their diffs.",
    arguments: [{ name: "focus", description: "What to look at most, such as security", required: false }],
    needs: "read_file",
    async blocks(asked, { focus }) {
      const wish = focus === undefined ? "" : ` Look at this most: ${focus}.`;
      return [
        text(
          `Review these changes as a careful colleague would.${wish} For each: what it does, what could break, what is missing, and whether you would approve it. Read the files around them where the diff is not enough; change nothing.\n\n${await changesText(asked)}`,
        ),
      ];
    },
  },
];

export async function listPrompts({ host, request, context }: SurfaceRequest): Promise<string> {
  if (request.params["cursor"] !== undefined) throw invalidParams("params.cursor is not one that this server gave");
  const prompts = (await promptsOf(host)).map(({ blocks: _blocks, needs: _needs, ...shown }) => shown);
  return context.revision.result({ prompts }, true);
}

/** @throws RpcError -32602 for an unknown prompt and wrong arguments; InputRequired in the modern era */
export async function getPrompt(asked: SurfaceRequest): Promise<string> {
  const { host, request, context } = asked;
  const { name, arguments: given } = request.params;
  const prompt = findPrompt(await promptsOf(host), name);
  const args = readArguments(prompt, given);
  const blocks = await prompt.blocks(asked, args);
  const messages = blocks.map((content) => ({ role: "user", content }));
  return context.revision.result({ description: prompt.description, messages });
}

/** The arguments that can be completed as paths. */
export async function promptArgument(host: Services, name: unknown, argument: string): Promise<string | undefined> {
  const prompt = findPrompt(await promptsOf(host), name);
  if (!prompt.arguments.some((one) => one.name === argument))
    throw invalidParams(`the prompt ${prompt.name} has no argument ${JSON.stringify(argument)}`);
  return argument === "path" ? prompt.needs : undefined;
}

async function promptsOf(host: Services): Promise<readonly Prompt[]> {
  const registry = await host.registry();
  return PROMPTS.filter(({ needs }) => registry.get(needs) !== undefined);
}

function findPrompt(prompts: readonly Prompt[], name: unknown): Prompt {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  if (typeof name !== "string") throw invalidParams("params.name must be a string: the name of a prompt");
  const shown = name.slice(0, 60);
  const names = prompts.map((prompt) => prompt.name);
  const near = nearestNames(shown, names, 1).join("");
  const hint = near === "" ? "prompts/list names them all" : `did you mean ${near}?`;
  throw invalidParams(`there is no prompt ${JSON.stringify(shown)}: ${hint}`);
}

function readArguments(prompt: Prompt, given: unknown = {}): Arguments {
  const wrong = (state: string): RpcError => invalidParams(`the prompt ${prompt.name} cannot be made: ${state}`);
  if (!isObject(given)) throw wrong("params.arguments must be an object");
  const known = prompt.arguments.map(({ name }) => name);
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name))
      throw wrong(`it has no argument ${JSON.stringify(name.slice(0, 60))}, only ${known.join(", ")}`);
    if (typeof value !== "string" || value.length > MAX_ARGUMENT_CHARS)
      throw wrong(`the argument ${name} must be a string of at most ${MAX_ARGUMENT_CHARS} characters`);
  }
  // Clients send what a person left empty as an empty string.
  const filled = Object.entries(given as Arguments).filter(([, value]) => value.trim() !== "");
  const args = Object.fromEntries(filled);
  const missing = prompt.arguments.find(({ name, required }) => required && args[name] === undefined);
  if (missing) throw wrong(`the argument ${missing.name} is missing (${missing.description})`);
  return args;
}

function text(value: string): Members {
  return { type: "text", text: value };
}

async function embedded({ host, request, context }: SurfaceRequest, path: string): Promise<Members> {
  const what = await fileCall(host, path);
  const outcome = succeeded(path, await dispatch(host, callOf(request, context, what)));
  const { contents } = JSON.parse(`{${outcome.members}}`) as { contents: readonly Members[] };
  return { type: "resource", resource: contents[0] };
}

async function treeText({ host, request, context }: SurfaceRequest, path: string): Promise<string> {
  const call = callOf(request, context, { name: "tree", arguments: { path, depth: 3 } });
  const outcome = succeeded(path, await dispatch(host, call));
  const { content } = JSON.parse(`{${outcome.members}}`) as { content: readonly { text?: string }[] };
  return content.flatMap((block) => block.text ?? []).join("\n");
}

async function changesText({ host, context }: SurfaceRequest): Promise<string> {
  const named = (tool: string): string => host.dialect?.nameOf(tool) ?? tool;
  const caller = { signal: context.signal, onProgress: undefined, context };
  const { proposals } = await callMethod(host, "ringfence/proposals/list", {}, caller);
  const { transactions } = await callMethod(host, "ringfence/history/list", {}, caller);
  const waiting: string[] = [];
  for (const { id, tool, summary } of proposals.slice(-MAX_PROPOSALS)) {
    const { files } = await callMethod(host, "ringfence/proposals/get", { id }, caller);
    waiting.push(`## ${id}: ${summary} (${named(tool)})\n${files.map(({ diff = "" }) => diff).join("\n")}`);
  }
  const made = transactions
    .slice(0, MAX_TRANSACTIONS)
    .map(({ transaction, at, tool, summary }) => `- ${at} ${transaction}: ${summary} (${named(tool)})`);
  const whole = [
    waiting.length === 0 ? "No change waits for approval." : `# Waiting for approval\n\n${waiting.join("\n\n")}`,
    made.length === 0 ? "No change was made here." : `# Made last\n\n${made.join("\n")}`,
  ].join("\n\n");
  const shown = host.redactor?.(whole).text ?? whole;
  const { text: cut, truncated } = truncateUtf8(shown, MAX_DIFF_BYTES);
  return truncated ? `${cut}\n[cut: there is more]` : cut;
}
