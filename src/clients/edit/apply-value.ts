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
