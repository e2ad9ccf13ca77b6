/**
 * How tests wait: for an event, never for a number of milliseconds. A machine may be slow, busy or limited to half a
 * core, and a right program still passes; the limit is minutes, and only a hang reaches it.
 *
 * Usual mistake: `await Bun.sleep(200)` and then an assertion. On a slow machine nothing has happened yet, and on a
 * fast one 190 of the milliseconds are wasted.
 */

/** Only a hang takes this long. Below the limit of one test (`test-limit.ts`), so that the wait is what fails, by name. */
export const HANG_MS: number = 5 * 60_000;

/**
 * Looks until there is something to see, and gives that. `false`, `undefined` and `null` mean "not yet".
 * @param what completes the sentence "waited in vain for ..."
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, false | undefined | null>> {
  for (const end = performance.now() + HANG_MS; performance.now() < end; await Bun.sleep(LOOK_EVERY_MS)) {
    const seen = await look();
    if (seen !== false && seen !== undefined && seen !== null) return seen as Exclude<T, false | undefined | null>;
  }
  throw new Error(`waited in vain for ${what}`);
}

/** What the promise gives; an error that names it when it hangs. */
export async function settled<T>(what: string, promise: Promise<T>): Promise<T> {
  const hang = Promise.withResolvers<never>();
  const timer = setTimeout(() => hang.reject(new Error(`waited in vain for ${what}`)), HANG_MS);
  try {
    return await Promise.race([promise, hang.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A look costs little beside what is looked for, and nobody notices five milliseconds. */
const LOOK_EVERY_MS = 5;
