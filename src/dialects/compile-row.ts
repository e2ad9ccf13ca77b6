/**
 * One row of a table, compiled over our tool: what is listed, and arguments there and back. Arguments without a name in the
 * dialect keep ours and are taken without being listed, so that every call of a listed tool that an answer names can be made.
 */
import * as z from "zod";
import { Failure, isObject } from "../base/index.ts";
import {
  argumentsFailure,
  canonicalName,
  describeTool,
  inputSchemaOf,
  outputSchemaOf,
  parametersOf,
  snakeCase,
  tryArguments,
  type ToolListOptions,
  type Parsable,
  type ParsedArguments,
  type Tool,
} from "../contract/index.ts";
import { fieldOf, toOurs, toTheirs } from "./convert-value.ts";
import type { Arguments, OwnForm, Parameter, Row } from "./dialect-table.ts";

type Named = readonly [name: string, parameter: Parameter];

/** Arguments that were read: as our tool takes them, and what was said in the names of the dialect, put right. */
interface ReadArguments extends ParsedArguments<Arguments> {
  readonly said: Arguments;
}

type Fields = Parsable & { readonly input: z.ZodObject };
type Shape = Readonly<Record<string, z.ZodType>>;

/** Compiles a row; `undefined` when this host's tool lacks what the row needs. */
export function compileRow(row: Row, tool: Tool, form?: OwnForm): CompiledRow | undefined {
  const shape: Shape = parametersOf(tool);
  const isThere = ({ to }: Parameter): boolean => to === undefined || to in shape;
  const isWhole = Object.values(row.parameters).every((one) => one.required !== true || isThere(one));
  return isWhole ? new CompiledRow(row, tool, form) : undefined;
}

export class CompiledRow {
  readonly row: Row;
  readonly tool: Tool;
  /** That of the table, in its rows. */
  readonly form: OwnForm | undefined;
  /** What `tools/list` shows. */
  readonly listed: z.ZodObject;
  readonly #parameters: readonly Named[];
  /** The arguments under the dialect's names, and those of ours that it has no name for. */
  readonly #taken: Fields;
  readonly #extras: Fields;

  constructor(row: Row, tool: Tool, form?: OwnForm) {
    this.row = row;
    this.tool = tool;
    this.form = form;
    const shape: Shape = parametersOf(tool);
    const { name } = row;
    this.#parameters = Object.entries(row.parameters).filter(([, { to }]) => to === undefined || to in shape);
    const fieldsOf = (some: readonly Named[]): z.ZodObject =>
      z.strictObject(Object.fromEntries(some.map(([key, parameter]) => [key, describedField(parameter, shape)])));
    this.listed = fieldsOf(this.#parameters.filter(([, { older }]) => !older));
    const parameterAliases = aliasesOf(this.#parameters);
    this.#taken = { name, input: fieldsOf(this.#parameters), parameterAliases };
    const extras = Object.entries(shape).filter(([key]) => !(key in row.parameters) && !(key in parameterAliases));
    this.#extras = {
      name,
      input: z.strictObject(Object.fromEntries(extras.map(([key, field]) => [key, field.optional()]))),
    };
  }

  /**
   * @param isPartial some may be missing
   * @throws Failure `invalid_input` that names, in the dialect's names, what is wrong among all of them
   */
  toOurs(given: unknown, isPartial = false): ReadArguments {
    const entries = isObject(given) ? Object.entries(given) : [];
    const extra = entries.filter(([name]) => this.#extraOf(name) !== undefined);
    const own = isObject(given) ? Object.fromEntries(entries.filter(([name]) => this.#isOwn(name, given))) : given;
    // What is said in our name need not be said in theirs.
    const ours = new Set(extra.flatMap(([name, value]) => (value === null ? [] : [this.#extraOf(name)])));
    const isSaid = this.#parameters.some(([, { to }]) => ours.has(to));
    const taken = this.#taken;
    const parsed = tryArguments(isSaid || isPartial ? { ...taken, input: taken.input.partial() } : taken, own);
    const more = tryArguments(this.#extras, Object.fromEntries(extra));
    if ("problems" in parsed || "problems" in more)
      throw argumentsFailure(
        this.row.name,
        [parsed, more].flatMap((one) => ("problems" in one ? one.problems : [])),
      );
    const theirs = parsed.input as Arguments;
    const { name: row, needsOne } = this.row;
    if (needsOne && !isPartial && !needsOne.some((one) => (theirs[one] ?? "") !== ""))
      throw new Failure("invalid_input", `Cannot call "${row}": give ${needsOne.join(" or ")}`);
    if (!isPartial) this.row.check?.(theirs);
    let meant: Arguments = {};
    for (const [name, parameter] of this.#parameters)
      if (theirs[name] !== undefined) meant = { ...meant, ...toOurs(parameter, theirs[name], meant) };
    const input = { ...this.row.preset, ...meant, ...(more.input as Arguments) };
    return { input, said: theirs, repaired: parsed.repaired + more.repaired };
  }

  /** All that was read in the names of the dialect, also what was said in ours. */
  inTheirNames({ input, said }: ReadArguments): Arguments {
    return { ...this.toTheirs(input), ...said };
  }

  toTheirs(ours: Arguments): Arguments {
    const theirs: Record<string, unknown> = {};
    for (const [name, parameter] of this.#parameters.filter(([, { older }]) => !older)) {
      const value = toTheirs(parameter, ours);
      if (value !== undefined && !isPreset(parameter, ours, this.row.preset)) theirs[name] = value;
    }
    const again = this.#readBack(theirs);
    for (const [name, value] of Object.entries(ours))
      if (JSON.stringify(again[name]) !== JSON.stringify(value) && this.#extraOf(name) === name) theirs[name] = value;
    return theirs;
  }

  /** Where nobody minds a name that is not known, another name of a parameter that is given is none either. */
  #isOwn(name: string, given: object): boolean {
    if (this.#extraOf(name) !== undefined) return false;
    if (this.form?.isOpen !== true) return true;
    const own = this.#ownOf(name);
    return own !== undefined && (own === name || !Object.hasOwn(given, own));
  }

  /** The parameter of the dialect that is meant. */
  #ownOf(name: string): string | undefined {
    const { input, parameterAliases = {} } = this.#taken;
    return canonicalName(name, input.shape, parameterAliases);
  }

  /** The parameter of ours that is meant, where the dialect has no name for it. */
  #extraOf(name: string): string | undefined {
    const isExtra = (one: string): boolean => Object.hasOwn(this.#extras.input.shape, one);
    if (isExtra(name)) return name;
    const spelled = snakeCase(name);
    return isExtra(spelled) && this.#ownOf(name) === undefined ? spelled : undefined;
  }

  #readBack(theirs: Arguments): Arguments {
    try {
      return this.toOurs(theirs).input;
    } catch {
      // Not all that is needed is in what was given back: nothing is taken for said.
      return {};
    }
  }
}

/** Whether the row's own preset says this value anyway. */
function isPreset({ to, choose }: Parameter, ours: Arguments, preset: Arguments = {}): boolean {
  const names = choose ? Object.values(choose).flatMap((meant) => Object.keys(meant)) : to === undefined ? [] : [to];
  return names.length > 0 && names.every((name) => JSON.stringify(preset[name]) === JSON.stringify(ours[name]));
}

function describedField(parameter: Parameter, shape: Shape): z.ZodType {
  const ours = parameter.to === undefined ? undefined : shape[parameter.to];
  const isOptional = ours === undefined || ours instanceof z.ZodOptional;
  const field = fieldOf(parameter, ours instanceof z.ZodOptional ? (ours.unwrap() as z.ZodType) : ours);
  const isRequired = parameter.required ?? !isOptional;
  const described = (isRequired ? field : field.optional()).describe(parameter.description);
  return parameter.default === undefined ? described : described.meta({ default: parameter.default });
}

/** Other names that are taken for a parameter: earlier ones, and ours where they mean the same. */
function aliasesOf(parameters: readonly Named[]): Record<string, string> {
  const names = new Set(parameters.map(([name]) => name));
  const aliases = parameters.flatMap(([name, { to, also = [], as, choose, members, older }]) => {
    const isPlain = as === undefined || as === "rounded_down";
    const isSame = to !== undefined && !names.has(to) && isPlain && !choose && !members && !older;
    return [...also, ...(isSame ? [to] : [])].map((alias) => [alias, name] as const);
  });
  return Object.fromEntries(aliases);
}

/** A row as `tools/list` shows it: the hints of our tool under the name, words and parameters of the dialect. */
export function listRow({ row, tool, listed, form }: CompiledRow, options: ToolListOptions): Record<string, unknown> {
  const { annotations, outputSchema, ...described } = describeTool(tool, options);
  const { additionalProperties: isStrict, ...open } = inputSchemaOf({ name: row.name, input: listed });
  const title = row.title ?? tool.title;
  return {
    ...described,
    name: row.name,
    title,
    description: row.description,
    inputSchema: form?.isOpen ? open : { ...open, additionalProperties: isStrict },
    ...(form ? {} : row.show ? { outputSchema: outputSchemaOf(row.name === MEDIA ? BLOCKS : TEXT) } : { outputSchema }),
    annotations: { ...(annotations as object), title },
  };
}

/** The only tool of the reference server that answers with something else than text. */
const MEDIA = "read_media_file";
const TEXT: z.ZodObject = z.object({ content: z.string() });
const BLOCKS: z.ZodObject = z.object({ content: z.array(z.looseObject({ type: z.string() })) });
