/**
 * Waiting for something, but not for ever.
 *
 * Usual mistake: to race it with a sleep, which goes on after the race is over.
 */

/** @returns whether it came in time */
export async function within(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
