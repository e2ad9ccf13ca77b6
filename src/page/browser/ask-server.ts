/**
 * The page's end of the connection to its server. The capability comes in the fragment of the address, which no browser sends
 * anywhere, and goes into a header; the address is stripped of it at once, so that neither history nor a shoulder keeps it.
 */
import type { FailureData } from "../../calls/index.ts";
import type { QueueItem } from "../protocol.ts";

const KEPT_AS = "capability";
let capability: string | undefined;

/** @returns false when the page has no way in: it was opened without one, or the review that gave it is over */
export async function findWayIn(): Promise<boolean> {
  const words = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", "/");
  const code = words.get("c");
  capability = words.get("k") ?? undefined;
  if (code !== null) {
    const response = await post("launch", { code });
    if (response.ok) capability = ((await response.json()) as { readonly capability: string }).capability;
  }
  if (capability === undefined) capability = sessionStorage.getItem(KEPT_AS) ?? undefined;
  else sessionStorage.setItem(KEPT_AS, capability);
  return capability !== undefined;
}

/** What the server refused, in the words of a person. */
export class AskFailure extends Error {
  readonly data: Partial<FailureData>;

  constructor(data: Partial<FailureData>) {
    super(data.message ?? "The server did not answer.");
    this.data = data;
  }
}

/** @throws AskFailure */
export async function ask<Answer>(name: string, about: object): Promise<Answer> {
  const response = await post(name, about).catch(() => undefined);
  if (!response) throw new AskFailure({});
  if (response.ok) return (await response.json()) as Answer;
  const isData = response.headers.get("content-type") === "application/json";
  const { failure } = isData
    ? ((await response.json()) as { readonly failure: FailureData })
    : { failure: { message: (await response.text()).trim() } };
  throw new AskFailure(failure);
}

async function post(name: string, about: object): Promise<Response> {
  return await fetch(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "ringfence-capability": capability ?? "" },
    body: JSON.stringify(about),
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  });
}

/** Reads what waits for as long as the server tells it. @returns whether the way in is still good */
export async function followQueue(onQueue: (queue: readonly QueueItem[]) => void): Promise<boolean> {
  const response = await post("events", {}).catch(() => undefined);
  if (!response?.body) return true;
  if (!response.ok) return response.status !== 401;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || !value) return true;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const word = JSON.parse(line) as { readonly queue?: readonly QueueItem[] };
      if (word.queue) onQueue(word.queue);
    }
  }
}
