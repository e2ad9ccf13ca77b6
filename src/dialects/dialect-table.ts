/**
 * What a dialect is, as data: a row for each of its tools, which names one of ours, and under it a line for each
 * parameter. A dialect adds no behaviour: what cannot be said as a row is a difference that docs/dialects.md names.
 */

export type DialectName = "ringfence" | ForeignDialect;
export type ForeignDialect =
  | "claude"
  | "codex"
  | "gemini"
  | "filesystem"
  | "flynn"
  | "flynn-plain"
  | "construct"
  | "construct-operator"
  | "clarvis";

export interface DialectTable {
  /** A sentence or two for the model in the server's instructions: clients cut these at 2,048 characters. */
  readonly about: string;
  /** By the names that the model knows, in the order of `tools/list`. */
  readonly tools: Readonly<Record<string, TableRow>>;
}

/** A row as a table has it. A parameter of which only the description is given is ours, under our name. */
export interface TableRow extends Omit<Row, "name" | "tool" | "parameters"> {
  /** Default: ours of the same name. */
  readonly tool?: string;
  readonly parameters?: Readonly<Record<string, string | Parameter>>;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Row {
  /** The name that the model knows. */
  readonly name: string;
  /** Our tool; when this host does not have it, the row is not offered either. */
  readonly tool: string;
  /** Default: that of our tool. */
  readonly title?: string;
  /** What the tool does, in the dialect's terms, with our rules: what is proposed, what is cut. */
  readonly description: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Our arguments where the caller says nothing else. */
  readonly preset?: Arguments;
  /** The parameter that, when true, lets the call only be planned. */
  readonly dryRun?: string;
  /** Makes the dialect's own form of the answer from our structured one. */
  readonly show?: Show;
}

export interface Parameter {
  /** Our parameter; absent for one that models send and that has no effect. */
  readonly to?: string;
  readonly description: string;
  /** Names of earlier versions, which are taken and not shown. */
  readonly also?: readonly string[];
  /** Default: as ours. */
  readonly required?: boolean;
  /** How a value is turned into ours; default: it is the same. */
  readonly as?:
    | "list"
    | "seconds"
    | "zero_based"
    | "end_line"
    | "argv"
    | "paths"
    | "plain_paths"
    | "whole_paths"
    | "head"
    | "tail"
    | "anchored"
    | "anywhere";
  /** What each value means in our arguments. */
  readonly choose?: Readonly<Record<string, Arguments>>;
  /** The members of the objects in a list, by our names. */
  readonly members?: Readonly<Record<string, { readonly to: string; readonly description: string }>>;
  /** The type of a parameter that has no effect. Default string. */
  readonly type?: "string" | "boolean";
  /** True for a parameter of earlier versions, which is taken and not shown. */
  readonly older?: boolean;
}

/** One answer of a tool, before it has the dialect's form. */
export interface PlainAnswer {
  /** The arguments as they came. */
  readonly given: Arguments;
  readonly text: string;
  readonly structured: Arguments;
  /** The first is where relative paths begin. */
  readonly roots: readonly string[];
}

/** A text, or another block of content. */
export type Show = (answer: PlainAnswer) => string | Readonly<Record<string, unknown>>;
