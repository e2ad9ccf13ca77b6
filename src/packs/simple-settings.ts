/**
 * Readers of the simplest forms of settings, for `simple` in the settings of a pack (`SettingsByKey`). They answer `undefined` to
 * every other form, whether it is right or wrong: the schema of the key says which.
 */
import { isObject } from "../base/index.ts";

export type SimpleReader<Value> = (given: unknown) => Value | undefined;

/** What has more is left to a schema. */
const MAX_ENTRIES = 50;
const MAX_CHARS = 1000;

const ORIGIN = /^https:\/\/[a-z0-9.-]{1,200}(?::\d{1,4})?$/;

/** @param most UTF-16 units. Default 1,000 */
export function simpleText(pattern: RegExp, most: number = MAX_CHARS): SimpleReader<string> {
  return (given) => (typeof given === "string" && given.length <= most && pattern.test(given) ? given : undefined);
}

/** The address of a service: https, a host, and a port where it has one. */
export function simpleOrigin(given: unknown): string | undefined {
  return typeof given === "string" && ORIGIN.test(given) && URL.canParse(given) ? given : undefined;
}

/** From 1 to 50 texts. */
export function simpleList(read: SimpleReader<string>): SimpleReader<readonly string[]> {
  return (given) => {
    if (!Array.isArray(given) || given.length === 0 || given.length > MAX_ENTRIES) return undefined;
    const list = Array.from(given, read);
    return list.includes(undefined) ? undefined : (list as string[]);
  };
}

/** From 1 to 50 values under names of the user's own. */
export function simpleEntries<Value>(name: RegExp, read: SimpleReader<Value>): SimpleReader<Record<string, Value>> {
  return (given) => {
    if (!isObject(given)) return undefined;
    const values = Object.entries(given).flatMap(([key, value]): [string, Value][] => {
      const one = name.test(key) ? read(value) : undefined;
      return one === undefined ? [] : [[key, one]];
    });
    const isRead = values.length === Object.keys(given).length && values.length > 0 && values.length <= MAX_ENTRIES;
    return isRead ? Object.fromEntries(values) : undefined;
  };
}

/** An object with these keys and no other. @param usual the keys that may be left out, each with what holds then */
export function simpleObject<Value extends object>(
  keys: { readonly [Key in keyof Value]-?: SimpleReader<Exclude<Value[Key], undefined>> },
  usual: Partial<Value> = {},
): SimpleReader<Value> {
  return (given) => {
    if (!isObject(given) || !Object.keys(given).every((key) => Object.hasOwn(keys, key))) return undefined;
    const value: Record<string, unknown> = { ...usual };
    for (const [key, read] of Object.entries<SimpleReader<unknown>>(keys)) {
      if (given[key] === undefined && Object.hasOwn(usual, key)) continue;
      value[key] = read(given[key]);
      if (value[key] === undefined) return undefined;
    }
    return value as Value;
  };
}
