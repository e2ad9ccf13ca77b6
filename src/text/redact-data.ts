/**
 * Data without its secrets. Each text is judged by itself first, because as JSON a line end before a token hides it, and a key
 * without an end would swallow what stands behind it; then the whole, because the name of a member says what its value is.
 */

/** Gives a text without its secrets, and how many they were. */
export type Redact = (text: string) => { readonly text: string; readonly count: number };

/** As JSON, such a text is another one, or goes on in what follows. */
const IS_OTHER_IN_JSON = /["\\\p{Cc}]|PRIVATE KEY/u;

/** @returns the data as JSON */
export function redactData(data: unknown, redact: Redact): { readonly json: string; readonly count: number } {
  let count = 0;
  const clean = (text: string): string => {
    const made = redact(text);
    count += made.count;
    return made.text;
  };
  const json = JSON.stringify(data, (_, value: unknown) =>
    typeof value === "string" && IS_OTHER_IN_JSON.test(value) ? clean(value) : value,
  );
  return { json: clean(json), count };
}
