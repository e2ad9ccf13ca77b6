/**
 * One method `ringfence/*` in one value: its name, its words for docs/methods.md, its parameters, its place among the calls
 * and its work. Whatever lists methods or sends a request to one reads these values.
 *
 * Parameters are taken as they are. Nothing is repaired here, unlike the arguments of a tool: a program or a person sends
 * them, and whoever writes `file` for `files` asked for less than what would be done without it.
 */
import type { MethodName, MethodResults } from "../calls/index.ts";
import { Failure, isObject } from "../base/index.ts";
import type { JsonSchema } from "../contract/index.ts";
import type { Peer } from "../mcp/index.ts";
import { inOrder, type Caller, type Services } from "../pipeline/index.ts";
import { nearestNames } from "../text/index.ts";
import * as z from "zod";

type Members = Readonly<Record<string, unknown>>;

/** Who calls a method. */
export interface MethodCaller extends Caller {
  /** The connection that is notified; absent for a command of the shell. */
  readonly peer?: Peer | undefined;
}

interface MethodCall extends MethodCaller {
  /** `_meta` of the request. */
  readonly meta: Members;
  /** Lets later calls pass before the method has ended. */
  readonly leave: () => void;
}

interface MethodGiven<Name extends MethodName, Shape extends z.ZodRawShape> {
  readonly name: Name;
  /** What it does, in Markdown. */
  readonly summary: string;
  /** What it answers, in Markdown. */
  readonly result: string;
  /** Every parameter has a description: it is documentation, and the hint of a failure. */
  readonly params: z.ZodObject<Shape, z.core.$strict>;
  /** `change`: every later call waits for it. `look`: it sees what earlier calls changed. `none`: it waits for no call. */
  readonly order: "change" | "look" | "none";
  readonly answer: (
    host: Services,
    params: z.output<z.ZodObject<Shape, z.core.$strict>>,
    call: MethodCall,
  ) => MethodResults[Name] | Promise<MethodResults[Name]>;
}

export interface Method {
  readonly name: MethodName;
  readonly summary: string;
  readonly result: string;
  readonly params: z.ZodObject;
  /** @throws Failure, `invalid_input` for parameters that it does not take */
  readonly call: (host: Services, params: Members, caller: MethodCaller) => Promise<object>;
}

export function defineMethod<const Name extends MethodName, Shape extends z.ZodRawShape>(
  method: MethodGiven<Name, Shape>,
): Method {
  const { name, summary, result, params, order, answer } = method;
  return {
    name,
    summary,
    result,
    params,
    async call(host, given, caller) {
      if (order === "none") caller.turn?.leave();
      const { _meta, requestState: _state, inputResponses: _responses, ...own } = given;
      const read = params.safeParse(own);
      if (!read.success) throw paramsFailure(method, read.error.issues, own);
      await host.whole();
      const work = async (leave: () => void): Promise<object> =>
        await answer(host, read.data, { ...caller, meta: isObject(_meta) ? _meta : {}, leave });
      return order === "none" ? await work(() => undefined) : await inOrder(host, caller, order, work);
    },
  };
}

type Issue = z.core.$ZodIssue;

/** One problem is named: a parameter that there is not, else one that is wrong, else one that is missing. */
function paramsFailure(
  { name, params }: { readonly name: string; readonly params: z.ZodObject },
  issues: readonly Issue[],
  given: Members,
): Failure {
  const names = Object.keys(params.shape);
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, names, 1);
    const known = names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`;
    const hint = near === undefined ? known : `Did you mean ${near}? ${known}`;
    return invalidParams(`${name} has no ${JSON.stringify(unknown.slice(0, 60))}`, hint);
  }
  const first = issues.find(({ path }) => Object.hasOwn(given, String(path[0]))) ?? issues[0];
  const field = first?.path[0];
  if (typeof field !== "string") return invalidParams(first?.message ?? "they do not fit together");
  const schema = paramsSchema(params)[field] ?? {};
  const state = Object.hasOwn(given, field) ? `must be ${describeParam(schema)}` : "is missing";
  return invalidParams(`${field} ${state}`, `${field}: ${schema.description ?? ""}`);
}

export function invalidParams(state: string, hint = ""): Failure {
  return new Failure("invalid_input", `Cannot read the parameters: ${state}`, { hint });
}

/** The parameters of a method by name, as JSON Schema. */
export function paramsSchema(params: z.ZodObject): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = z.toJSONSchema(params, { io: "input" }) as JsonSchema;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutTypeList(schema)]));
}

/** Writes a list of types as the alternatives that it stands for. */
function withoutTypeList(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  return Array.isArray(type) ? { ...rest, anyOf: type.map((one: string) => ({ type: one })) } : schema;
}

/** What a parameter may be, as words behind "must be". */
export function describeParam(schema: JsonSchema): string {
  const [example] = (schema["examples"] ?? []) as readonly unknown[];
  return example === undefined ? formOf(schema) : `${formOf(schema)}, as ${JSON.stringify(example)}`;
}

function formOf({ type, minimum, maximum, maxLength, items, minItems, anyOf, ...rest }: JsonSchema): string {
  if (anyOf) return anyOf.map(formOf).join(" or ");
  switch (type) {
    case "boolean":
      return "true or false";
    case "integer":
      return maximum === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${minimum} on`
        : `a whole number from ${minimum} to ${maximum}`;
    case "string":
      if (typeof maxLength === "number") return `a string of at most ${maxLength} characters`;
      return typeof rest["minLength"] === "number" ? "a string that is not empty" : "a string";
    case "array":
      return `a list${items?.type === undefined ? "" : ` of ${items.type}s`}${minItems ? " that is not empty" : ""}`;
    case "object": {
      const member = rest["additionalProperties"];
      const isNamed = typeof member === "object" && member !== null && "type" in member;
      return isNamed ? `an object in which every member is ${formOf(member as JsonSchema)}` : "an object";
    }
    case undefined:
      return "any value";
    default:
      return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
  }
}
