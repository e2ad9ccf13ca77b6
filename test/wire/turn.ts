/**
 * One turn of the event loop, for code that goes on by promises alone: when it is over, all that could happen without an
 * event from outside has happened. A turn is no wait: nothing in it depends on a clock.
 */
export async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
