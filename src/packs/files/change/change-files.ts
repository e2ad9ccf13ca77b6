/**
 * Several changes as one: all of them are made or none, and each sees what the ones before it have done. An operation is
 * a changing tool's name and that tool's own arguments, read by that tool's own schema, so that nothing is defined twice.
 */
import * as z from "zod";
import { Failure, limits } from "../../../base/index.ts";
import { defineTool, parseArguments, type ChangePart, type ChangeTool, type Target } from "../../../contract/index.ts";
import { joinWords } from "../../../text/index.ts";
import { appendFile } from "./append-file.ts";
import { applyPatch } from "./apply-patch.ts";
import { copy } from "./copy.ts";
import { createDirectory } from "./create-directory.ts";
import { deletePath } from "./delete.ts";
import { editFile } from "./edit-file.ts";
import * as fields from "../../fields.ts";
import { move } from "./move.ts";
import { writeFile } from "./write-file.ts";

const MAX_OPERATIONS = 500;

const TOOLS: readonly ChangeTool[] = [
  writeFile,
  editFile,
  appendFile,
  createDirectory,
  move,
  copy,
  deletePath,
  applyPatch,
];
const BY_NAME: ReadonlyMap<string, ChangeTool> = new Map(
  TOOLS.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool] as const)),
);

type Operation = z.output<ReturnType<typeof operationOf>>;

export const changeFiles: ChangeTool = defineTool({
  name: "change_files",
  title: "Change several files",
  summary: summaryOf(TOOLS),
  aliases: ["transaction"],
  effect: "change",
  destructive: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () => inputOf(TOOLS),
  output: fields.changeResult,
  parameterAliases: {
    changes: "operations",
    ops: "operations",
    type: "op",
    action: "op",
    tool: "op",
    diff: "patch",
    input: "patch",
  },
  access: ({ operations }) => targetsOf(operations),
  parts: ({ operations }) => operations.flatMap((one, index): readonly ChangePart[] => numbered(one, index, partsOf)),
  operations: TOOLS,
  // Those that are off are still read, so that a call of one is told why.
  offering(isOff) {
    const left = TOOLS.filter((tool) => !isOff(tool));
    if (left.length === TOOLS.length) return undefined;
    return { summary: summaryOf(left), input: inputOf(left) };
  },
  plan: async ({ operations }, ctx) => {
    const sets = await Promise.all(
      operations.map(async (one, index) => await numbered(one, index, (tool, input) => tool.plan(input, ctx))),
    );
    return {
      changes: sets.flatMap(({ changes }) => changes),
      operations: sets.flatMap(({ changes }, index) => changes.map(() => operations[index]?.op ?? "")),
    };
  },
});

/** Looked at before anything else of a call, so that what is wrong in any of the operations is told at once. */
function targetsOf(operations: readonly Operation[]): readonly Target[] {
  const broken: Failure[] = [];
  const targets = operations.flatMap((one, index): readonly Target[] => {
    try {
      return numbered(one, index, (tool, input) => tool.access(input));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      broken.push(thrown);
      return [];
    }
  });
  const [first, ...others] = broken;
  if (!first) return targets;
  throw others.length === 0 ? first : together(first, others);
}

/** The rest is only counted. */
const MAX_NAMED = 8;

function together(first: Failure, others: readonly Failure[]): Failure {
  const named = [first, ...others].slice(0, MAX_NAMED);
  const more = others.length + 1 - named.length;
  const states = named.map(({ message }, index) => (index === 0 ? message : message.replace(PREFIX, "")));
  return new Failure(first.code, [...states, ...(more > 0 ? [`and ${more} more`] : [])].join("; "), {
    ...first.data,
    hint: [...new Set(named.map(({ data }) => data.hint))].filter((hint) => hint !== "").join(" "),
  });
}

const PREFIX = "Cannot change the files: ";

function partsOf(tool: ChangeTool, input: never): readonly ChangePart[] {
  const { name, aliases, removes } = tool;
  const own = { name, aliases, removes };
  const parts = tool.parts?.(input) ?? [{ tools: [], access: tool.access(input) }];
  return parts.map(({ tools, access }) => ({ tools: [own, ...tools], access }));
}

function summaryOf(tools: readonly ChangeTool[]): string {
  const names = joinWords(
    tools.map(({ name }) => name),
    "or",
  );
  return `Makes several changes as one: all or none. Each operation is op (${names}) and that tool's own arguments. They are made in order, and each sees what the ones before it did: a file can be written and then edited, a directory moved and then something in it changed. A failure names the operation, and then nothing is changed.`;
}

function inputOf(tools: readonly ChangeTool[]) {
  return z.strictObject({
    operations: z
      .array(operationOf(tools))
      .min(1)
      .max(MAX_OPERATIONS)
      .describe(`The changes in the order in which they are made, at most ${MAX_OPERATIONS}.`),
  });
}

function operationOf(tools: readonly ChangeTool[]) {
  return z.strictObject({
    // Clients see the names; the aliases of the tools are taken too.
    op: z.preprocess(
      (name) => (typeof name === "string" ? (BY_NAME.get(name)?.name ?? name) : name),
      z.enum(tools.map(({ name }) => name)).describe("The tool whose change it is."),
    ),
    ...everyParameter(tools),
  });
}

/** All parameters of all of them, none required: which belong to which, and their rules, the tools themselves say. */
function everyParameter(tools: readonly ChangeTool[]): Record<string, z.ZodOptional> {
  const found = new Map<string, { readonly field: z.ZodType; readonly uses: string[] }>();
  for (const { name, input } of tools) {
    for (const [parameter, field] of Object.entries<z.ZodType>(input.shape)) {
      const known = found.get(parameter) ?? { field, uses: [] };
      known.uses.push(`${name}: ${descriptionOf(field)}`);
      found.set(parameter, known);
    }
  }
  return Object.fromEntries(
    [...found].map(([parameter, { field, uses }]) => [parameter, field.optional().describe(described(uses))]),
  );
}

/** What makes a field optional has no description of its own. */
function descriptionOf(field: z.ZodType): string {
  if (field.description !== undefined) return field.description;
  return field instanceof z.ZodOptional ? ((field.unwrap() as z.ZodType).description ?? "") : "";
}

/** Tools that say the same are named together. */
function described(uses: readonly string[]): string {
  const byText = new Map<string, string[]>();
  for (const use of uses) {
    const cut = use.indexOf(": ");
    const text = use.slice(cut + 2);
    byText.set(text, [...(byText.get(text) ?? []), use.slice(0, cut)]);
  }
  return [...byText].map(([text, names]) => `${names.join(", ")}: ${text}`).join(" ");
}

/** @throws Failure that begins with the number of the operation */
function numbered<T>({ op, ...given }: Operation, index: number, use: (tool: ChangeTool, input: never) => T): T {
  const tool = BY_NAME.get(op);
  if (!tool) throw new Error(`no changing tool ${op}`);
  try {
    return use(tool, parseArguments(tool, given).input as never);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const { code, message, ...more } = thrown.data;
    const reason = message.replace(`Cannot call "${op}": `, "");
    const state = reason.charAt(0).toLowerCase() + reason.slice(1);
    throw new Failure(code, `${PREFIX}operation ${index + 1} (${op}): ${state}`, {
      ...more,
      details: { ...more.details, operation: index + 1 },
    });
  }
}
