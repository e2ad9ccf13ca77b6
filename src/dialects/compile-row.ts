/**
 * One row of a table over our tool: what is listed, and arguments there and back. What the dialect has no name for keeps
 * ours: such arguments are taken without being listed, so that every call that an answer names can be made.
 */
import * as z from "zod";
import { parseArguments, type Tool } from "../contract/index.ts";
import { fieldOf, toOurs, toTheirs } from "./convert-value.ts";
import type { Arguments, Parameter, Row } from "./dialect-table.ts";

export interface CompiledRow {
  readonly row: Row;
  readonly tool: Tool;
  /** What `tools/list` shows. */
  readonly listed: z.ZodObject;
  /** @param isPartial some may be missing @throws Failure `invalid_input` in the dialect's names */
  toOurs(given: unknown, isPartial?: boolean): Arguments;
  toTheirs(ours: Arguments): Arguments;
}

/** `undefined` when this host's tool lacks what the row needs. */
export function compileRow(row: Row, tool: Tool): CompiledRow | undefined {
  const shape = tool.input.shape as Readonly<Record<string, z.ZodType>>;
  const parameters = Object.entries(row.parameters).filter(([, { to }]) => to === undefined || to in shape);
  const isWhole = Object.entries(row.parameters).every(
    ([, { to, required }]) => required !== true || to === undefined || to in shape,
  );
  if (!isWhole) return undefined;
  const fieldsOf = (some: readonly (readonly [string, Parameter])[]): z.ZodObject =>
    z.strictObject(
      Object.fromEntries(some.map(([name, parameter]) => [name, describedField(parameter, shape)])),
    );
  const listed = fieldsOf(parameters.filter(([, { older }]) => !older));
  const taken = { name: row.name, input: fieldsOf(parameters), parameterAliases: aliasesOf(parameters) };
  const isExtra = (name: string): boolean =>
    Object.hasOwn(shape, name) && !(name in row.parameters) && !(name in taken.parameterAliases);

  const compiled: CompiledRow = {
    row,
    tool,
    listed,
    toOurs(given, isPartial = false) {
      const entries = isObject(given) ? Object.entries(given) : [];
      const extras = Object.fromEntries(entries.filter(([name]) => isExtra(name)));
      const own = isObject(given) ? Object.fromEntries(entries.filter(([name]) => !isExtra(name))) : given;
      // What is said in our name need not be said in theirs.
      const isSaid = parameters.some(([, { to }]) => to !== undefined && to in extras);
      const parsed = parseArguments(
        isSaid || isPartial ? { ...taken, input: taken.input.partial() } : taken,
        own,
      ) as Arguments;
      let ours: Arguments = {};
      for (const [name, parameter] of parameters)
        if (parsed[name] !== undefined) ours = { ...ours, ...toOurs(parameter, parsed[name], ours) };
      return { ...row.preset, ...ours, ...extras };
    },
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
      return compiled.toOurs(theirs);
    } catch {
      // Not all that is needed is in what was given back: nothing is taken for said.
      return {};
    }
  }
  return compiled;
}

/** What is so anyway need not be said. */
function isPreset({ to, choose }: Parameter, ours: Arguments, preset: Arguments = {}): boolean {
  const names = choose
    ? Object.values(choose).flatMap((meant) => Object.keys(meant))
    : to === undefined
      ? []
      : [to];
  return (
    names.length > 0 && names.every((name) => JSON.stringify(preset[name]) === JSON.stringify(ours[name]))
  );
}

function describedField(parameter: Parameter, shape: Readonly<Record<string, z.ZodType>>): z.ZodType {
  const ours = parameter.to === undefined ? undefined : shape[parameter.to];
  const isOptional = ours === undefined || ours instanceof z.ZodOptional;
  const field = fieldOf(parameter, ours instanceof z.ZodOptional ? (ours.unwrap() as z.ZodType) : ours);
  const isRequired = parameter.required ?? !isOptional;
  return (isRequired ? field : field.optional()).describe(parameter.description);
}

/** Earlier names of a parameter, and ours where they mean the same. */
function aliasesOf(parameters: readonly (readonly [string, Parameter])[]): Record<string, string> {
  const names = new Set(parameters.map(([name]) => name));
  const aliases = parameters.flatMap(([name, { to, also = [], as, choose, members, older }]) => {
    const isSame = to !== undefined && !names.has(to) && !as && !choose && !members && !older;
    return [...also, ...(isSame ? [to] : [])].map((alias) => [alias, name] as const);
  });
  return Object.fromEntries(aliases);
}

function isObject(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
