/**
 * What a dialect is, as data: a row for each of its tools, which names one of ours, and under it a line for each
 * parameter. A dialect adds no behaviour: what cannot be said as a row is a difference that docs/dialects.md names.
 */
import type { FailureData } from "../base/index.ts";
import type { ChangeManner } from "../txn/index.ts";

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
  /** Absent: failures, notes and the structured form are ours under the dialect's names. */
  readonly form?: OwnForm;
  /** Nothing of ours stands behind its rows: callers count on exactly these tools. */
  readonly isWhole?: true;
  /** By the names that the model knows, in the order of `tools/list`. */
  readonly tools: Readonly<Record<string, TableRow>>;
}

/** How a dialect answers whose answers are its own texts and nothing else: no notes, no structured form. */
export interface OwnForm {
  /** The text of a failure, which is in the dialect's names already. */
  readonly failure: (failure: FailureData, call: FailedCall) => string;
  /** What its clients find in `_meta` beside what ours find there. */
  readonly meta?: (answer: PlainAnswer) => Arguments;
  /** Arguments that nobody knows are left out instead of refused, and schemas say that there may be more. */
  readonly isOpen?: boolean;
}

export interface FailedCall {
  /** The name of the row. */
  readonly name: string;
  /** The arguments as they were read, in the dialect's names; as they came where they cannot be read. */
  readonly given: Arguments;
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
  /** Other names that are taken for it and not shown. */
  readonly also?: readonly string[];
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
  /** Says our answer in the words that its callers look for; the structured form stays ours. */
  readonly reword?: (text: string) => string;
  /** What its callers look for at the beginning of a failure. */
  readonly failed?: string;
  /** One of these has to be given. */
  readonly needsOne?: readonly string[];
  /** What the dialect refuses before anything is done, and we would take. @throws Failure `invalid_input` */
  readonly check?: (given: Arguments) => void;
  /** How its changes are made, where that is not our way. */
  readonly manner?: ChangeManner;
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
    | "anywhere"
    | "dollar_and"
    | "unless_zero"
    | "unless_empty"
    | "timeout"
    | "rounded_down"
    | "ready_pattern"
    | "ready_timeout";
  /** What each value means in our arguments. */
  readonly choose?: Readonly<Record<string, Arguments>>;
  /** Values that the schema names. Others are taken too: whether they are right, our tool says. */
  readonly named?: readonly string[];
  /** The members of the objects in a list, by our names. */
  readonly members?: Readonly<Record<string, Member>>;
  /** The type of a parameter that only the answer's form depends on, or nothing. Default string. */
  readonly type?: "string" | "boolean" | "count";
  /** What the schema names as the default; what happens without the argument, `preset` says. */
  readonly default?: string | number | boolean;
  /** True for a parameter of earlier versions, which is taken and not shown. */
  readonly older?: boolean;
}

/** A member of the objects in a list. */
interface Member extends Pick<Parameter, "description" | "default"> {
  readonly to: string;
}

/** One answer of a tool, before it has the dialect's form. */
export interface PlainAnswer {
  /** The arguments as they were read, in the dialect's names. */
  readonly given: Arguments;
  readonly text: string;
  readonly structured: Arguments;
  /** The blocks of our answer, for those that are no text. */
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
  /** The first is where relative paths begin. */
  readonly roots: readonly string[];
  /** How much text an answer has that names no limit. */
  readonly bytes: number;
}

/** A text, or another block of content. @throws Failure for an answer of ours that is a failure there */
export type Show = (answer: PlainAnswer) => string | Readonly<Record<string, unknown>>;
