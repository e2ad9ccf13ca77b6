/**
 * One row of a table, compiled over our tool: what is listed, and arguments there and back. Arguments without a name in the
 * dialect keep ours and are taken without being listed, so that every call that an answer names can be made.
 */
import * as z from "zod";
import { isObject } from "../base/index.ts";
import {
  argumentsFailure,
  describeTool,
  inputSchemaOf,
  outputSchemaOf,
  parametersOf,
  tryArguments,
  type ToolListOptions,
  type Parsable,
  type ParsedArguments,
  type Tool,
} from "../contract/index.ts";
import { fieldOf, toOurs, toTheirs } from "./convert-value.ts";
import type { Arguments, Parameter, Row } from "./dialect-table.ts";

export interface CompiledRow {
  readonly row: Row;
  readonly tool: Tool;
  /** What `tools/list` shows. */
  readonly listed: z.ZodObject;
  /** @param isPartial some may be missing @throws Failure `invalid_input` in the dialect's names */
  toOurs(given: unknown, isPartial?: boolean): ParsedArguments<Arguments>;
  toTheirs(ours: Arguments): Arguments;
}

/** Compiles a row; `undefined` when this host's tool lacks what the row needs. */
export function compileRow(row: Row, tool: Tool): CompiledRow | undefined {
  const shape = parametersOf(tool);
  const parameters = Object.entries(row.parameters).filter(([, { to }]) => to === undefined || to in shape);
  const isWhole = Object.entries(row.parameters).every(
    ([, { to, required }]) => required !== true || to === undefined || to in shape,
  );
  if (!isWhole) return undefined;
  const fieldsOf = (some: readonly (readonly [string, Parameter])[]): z.ZodObject =>
    z.strictObject(Object.fromEntries(some.map(([name, parameter]) => [name, describedField(parameter, shape)])));
  const listed = fieldsOf(parameters.filter(([, { older }]) => !older));
  const taken = { name: row.name, input: fieldsOf(parameters), parameterAliases: aliasesOf(parameters) };
  const isExtra = (name: string): boolean =>
    Object.hasOwn(shape, name) && !(name in row.parameters) && !(name in taken.parameterAliases);
  const extras = {
    name: row.name,
    input: z.strictObject(
      Object.fromEntries(
        Object.entries(shape).flatMap(([name, field]) => (isExtra(name) ? [[name, field.optional()]] : [])),
      ),
    ),
  };

  const compiled: CompiledRow = {
    row,
    tool,
    listed,
    toOurs: (given, isPartial = false) => readRow({ row, parameters, taken, extras }, given, isPartial),
    toTheirs(ours) {
      const theirs: Record<string, unknown> = {};
      for (const [name, parameter] of parameters.filter(([, { older }]) => !older)) {
        const value = toTheirs(parameter, ours);
        if (value !== undefined && !isPreset(parameter, ours, row.preset)) theirs[name] = value;
      }
      const again = readBack(theirs);
      for (const [name, value] of Object.entries(ours))
        if (JSON.stringify(again[name]) !== JSON.stringify(value) && isExtra(name)) theirs[name] = value;
      return theirs;
    },
  };

  function readBack(theirs: Arguments): Arguments {
    try {
      return compiled.toOurs(theirs).input;
    } catch {
      // Not all that is needed is in what was given back: nothing is taken for said.
      return {};
    }
  }
  return compiled;
}

interface RowParts {
  readonly row: Row;
  readonly parameters: readonly (readonly [string, Parameter])[];
  /** The arguments under the dialect's names, and those of ours that it has no name for. */
  readonly taken: Parsable & { readonly input: z.ZodObject };
  readonly extras: Parsable & { readonly input: z.ZodObject };
}

/** @throws Failure `invalid_input` that names what is wrong among both */
function readRow(
  { row, parameters, taken, extras }: RowParts,
  given: unknown,
  isPartial: boolean,
): ParsedArguments<Arguments> {
  const isExtra = (name: string): boolean => Object.hasOwn(extras.input.shape, name);
  const entries = isObject(given) ? Object.entries(given) : [];
  const extra = entries.filter(([name]) => isExtra(name));
  const own = isObject(given) ? Object.fromEntries(entries.filter(([name]) => !isExtra(name))) : given;
  // What is said in our name need not be said in theirs.
  const isSaid = parameters.some(([, { to }]) => extra.some(([name, value]) => name === to && value !== null));
  const parsed = tryArguments(isSaid || isPartial ? { ...taken, input: taken.input.partial() } : taken, own);
  const more = tryArguments(extras, Object.fromEntries(extra));
  if ("problems" in parsed || "problems" in more)
    throw argumentsFailure(
      row.name,
      [parsed, more].flatMap((one) => ("problems" in one ? one.problems : [])),
    );
  const theirs = parsed.input as Arguments;
  let ours: Arguments = {};
  for (const [name, parameter] of parameters)
    if (theirs[name] !== undefined) ours = { ...ours, ...toOurs(parameter, theirs[name], ours) };
  const input = { ...row.preset, ...ours, ...(more.input as Arguments) };
  return { input, repaired: parsed.repaired + more.repaired };
}

/** Whether the row's own preset says this value anyway. */
function isPreset({ to, choose }: Parameter, ours: Arguments, preset: Arguments = {}): boolean {
  const names = choose ? Object.values(choose).flatMap((meant) => Object.keys(meant)) : to === undefined ? [] : [to];
  return names.length > 0 && names.every((name) => JSON.stringify(preset[name]) === JSON.stringify(ours[name]));
}

function describedField(parameter: Parameter, shape: Readonly<Record<string, z.ZodType>>): z.ZodType {
  const ours = parameter.to === undefined ? undefined : shape[parameter.to];
  const isOptional = ours === undefined || ours instanceof z.ZodOptional;
  const field = fieldOf(parameter, ours instanceof z.ZodOptional ? (ours.unwrap() as z.ZodType) : ours);
  const isRequired = parameter.required ?? !isOptional;
  return (isRequired ? field : field.optional()).describe(parameter.description);
}

/** Other names that are taken for a parameter: earlier ones, and ours where they mean the same. */
function aliasesOf(parameters: readonly (readonly [string, Parameter])[]): Record<string, string> {
  const names = new Set(parameters.map(([name]) => name));
  const aliases = parameters.flatMap(([name, { to, also = [], as, choose, members, older }]) => {
    const isSame = to !== undefined && !names.has(to) && !as && !choose && !members && !older;
    return [...also, ...(isSame ? [to] : [])].map((alias) => [alias, name] as const);
  });
  return Object.fromEntries(aliases);
}

/** A row as `tools/list` shows it: the hints of our tool under the name, words and parameters of the dialect. */
export function listRow({ row, tool, listed }: CompiledRow, options: ToolListOptions): Record<string, unknown> {
  const { annotations, ...described } = describeTool(tool, options);
  const title = row.title ?? tool.title;
  return {
    ...described,
    name: row.name,
    title,
    description: row.description,
    inputSchema: inputSchemaOf({ name: row.name, input: listed }),
    ...(row.show ? { outputSchema: outputSchemaOf(row.name === MEDIA ? BLOCKS : TEXT) } : {}),
    annotations: { ...(annotations as object), title },
  };
}

/** The only tool of the reference server that answers with something else than text. */
const MEDIA = "read_media_file";
const TEXT: z.ZodObject = z.object({ content: z.string() });
const BLOCKS: z.ZodObject = z.object({ content: z.array(z.looseObject({ type: z.string() })) });
