/**
 * What a configuration would say with a value in it: the plain data beside the text. The edited text must parse to exactly
 * this, which is how an edit of text is proven.
 */
import type { Json, ValueEdit } from "../client.ts";

type Values = Readonly<Record<string, unknown>>;

/** @throws Error where something other than an object stands on the way */
export function applyToValue(whole: unknown, edit: ValueEdit): unknown {
  return at(whole, edit.path, (old) => {
    if (edit.op === "set") return edit.value;
    if (edit.op === "include") return include(old, edit);
    if (edit.op === "guard") return withGuard(old, edit);
    if (old !== undefined && !isValues(old)) throw new Error(`${edit.path.join(".")} is no object`);
    return { ...old, ...edit.value };
  });
}

function at(value: unknown, [key, ...rest]: readonly string[], change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (value !== undefined && !isValues(value)) throw new Error(`what should hold "${key}" is no object`);
  const old = value && Object.hasOwn(value, key) ? value[key] : undefined;
  return { ...value, [key]: at(old, rest, change) };
}

function include(old: unknown, { path, value }: ValueEdit & { readonly op: "include" }): readonly unknown[] {
  if (old !== undefined && !Array.isArray(old)) throw new Error(`${path.join(".")} is no list`);
  return [...missingFrom(old, value), ...((old as readonly unknown[] | undefined) ?? [])];
}

function withGuard(old: unknown, { path, value }: ValueEdit & { readonly op: "guard" }): readonly unknown[] {
  if (old !== undefined && !Array.isArray(old)) throw new Error(`${path.join(".")} is no list`);
  const hooks = (old ?? []) as readonly unknown[];
  const index = guardIn(hooks, path);
  return index === undefined ? [value, ...hooks] : hooks.with(index, value);
}

/**
 * Where in a list of hooks a guard of ours stands: it is known by its command.
 *
 * @throws Error where it cannot be replaced without touching what a person wrote
 */
export function guardIn(hooks: readonly unknown[], path: readonly string[]): number | undefined {
  const ours = hooks.flatMap((hook, index) => (hasGuard(hook) ? [index] : []));
  const isAlone = ours.every((index) => commandsIn(hooks[index]).every(isGuardLine));
  if (ours.length > 1 || !isAlone)
    throw new Error(`${path.join(".")} has several guards of ringfence, or one beside another command: take them out`);
  return ours[0];
}

/** Whether one of the commands in it is a guard of ours, for whichever roots and program. */
export function hasGuard(hooks: unknown): boolean {
  return commandsIn(hooks).some(isGuardLine);
}

/** As `guardLine` makes them. */
function isGuardLine(line: string): boolean {
  return line.includes(" guard --client=");
}

function commandsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (!isValues(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === "command" && typeof one === "string" ? [one] : commandsIn(one),
  );
}

/** The members that a list lacks; all of them where there is no list. */
export function missingFrom(list: unknown, wanted: readonly Json[]): readonly Json[] {
  return wanted.filter((one) => !Array.isArray(list) || !list.some((other) => isSame(other, one)));
}

/** What stands at a path; `undefined` where nothing does. */
export function valueAt(whole: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isValues(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    whole,
  );
}

export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values say the same; the order of members does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  return Bun.deepEquals(a, b, false);
}
