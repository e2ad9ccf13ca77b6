/**
 * One POST of JSON to the address that the machine's file names, by `ringfence notify` alone: no host ever sends anything. It follows
 * no redirect, waits no longer than five seconds and reads nothing of the answer. A notice that does not arrive is not sent again,
 * because the next one says the same.
 */

const TIMEOUT_MS = 5000;

/** Never fails. */
export async function postWebhook(url: string, body: object): Promise<void> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
  } catch {
    // Nobody waits for it.
  }
}
