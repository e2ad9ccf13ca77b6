/**
 * What a tool has of the memory (`ctx.memory`): jobs of the workers, and around a search what goes by meaning. The vector of the
 * question is made at the address that the configuration names; entries that have none yet are given theirs, a few before the
 * answer and the others behind it, while the answers say how many are missing.
 *
 * Usual mistake: to fail because the address does not answer. The words have found something all the same, and the answer says
 * that meaning did not look.
 */
import { Failure, failureText } from "../../base/index.ts";
import type { HttpApi, MemoryApi } from "../../contract/index.ts";
import type { EmbedderAddress, MemoryHits, MemorySettings } from "../../memory/index.ts";
import { withoutSecrets } from "../../policy/index.ts";
import type { CallPolicy } from "../call.ts";
import { readJob } from "../jobs.ts";
import type { Services } from "../services.ts";

/** One use of the memory by a tool. */
export interface MemoryUse {
  readonly host: Services;
  readonly settings: MemorySettings;
  /** What the rules close to the tool is in no answer, and is sent nowhere. */
  readonly under: CallPolicy;
  /** The functions that are jobs of the workers. */
  readonly jobs: MemoryApi;
  /** For a call that may last longer than this one. */
  readonly http: () => HttpApi;
}

export function createMemory(use: MemoryUse): MemoryApi {
  return { ...use.jobs, search: async (ask) => await search(use, ask) };
}

/** So many new entries are given their vectors before the answer. */
const FEW = 64;

async function search(use: MemoryUse, ask: Parameters<MemoryApi["search"]>[0]): Promise<MemoryHits> {
  const { settings, jobs } = use;
  const { embedder } = settings;
  if (!embedder || ask.keyword_only === true) return await jobs.search(ask);
  if ("file" in embedder) {
    const hits = await jobs.search(ask);
    if (hits.missing > 0) fillBehind(use, async () => await fillHere(use));
    return hits;
  }
  const asked = await askedMeaning(use, embedder, ask);
  if (!asked.meaning) return await jobs.search(asked);
  const { model } = asked.meaning;
  const fill = async (): Promise<number> => await fillElsewhere(use, embedder, model);
  const hits = await jobs.search({ ...asked, fillsUpTo: FEW });
  if (hits.missing > FEW) fillBehind(use, fill);
  if (hits.missing === 0 || hits.missing > FEW) return hits;
  try {
    await fill();
  } catch (thrown) {
    // The answer says how many are missing.
    if (!(thrown instanceof Failure)) throw thrown;
  }
  return await jobs.search(asked);
}

type Asked = Parameters<MemoryApi["search"]>[0];

async function askedMeaning(use: MemoryUse, embedder: EmbedderAddress, ask: Asked): Promise<Asked> {
  try {
    const { redactor } = use.host;
    const [vector = []] = await embed(use, embedder, [withoutSecrets(ask.query, redactor)]);
    return { ...ask, meaning: { model: `${embedder.url} ${embedder.model} ${vector.length}`, vector } };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ...ask, meaningOff: failureText(thrown.data) };
  }
}

const BATCH = 64;
/** A part of the work in a worker, so that calls get their turn between two of them. */
const FILL_MS = 500;

async function fillHere({ host }: MemoryUse): Promise<number> {
  return await readJob(host, "memory_fill", { ms: FILL_MS }, { long: "bulk" });
}

async function fillElsewhere(use: MemoryUse, embedder: EmbedderAddress, model: string): Promise<number> {
  const { host, under } = use;
  const pending = await readJob(host, "memory_pending", { model, limit: BATCH }, { under, long: "bulk" });
  if (pending.length === 0) return 0;
  const texts = pending.map(({ text }) => text);
  const made = await embedEach(use, embedder, texts);
  const vectors = pending.map(({ id, hash }, at) => ({ id, hash, vector: made[at] ?? [] }));
  return await readJob(host, "memory_keep", { model, vectors }, { long: "bulk" });
}

/** One text that cannot be sent, or that the model refuses, costs its own vector and not that of the others. */
async function embedEach(use: MemoryUse, embedder: EmbedderAddress, texts: readonly string[]) {
  try {
    return await embed(use, embedder, texts);
  } catch (thrown) {
    if (!isOfText(thrown)) throw thrown;
  }
  const vectors: (readonly number[] | undefined)[] = [];
  for (const text of texts) vectors.push(await embedOne(use, embedder, text));
  const size = vectors.find((vector) => vector !== undefined)?.length;
  if (size === undefined)
    throw new Failure("command_failed", "Cannot use the embedder: it takes none of the entries", {
      hint: LOOK_AT_EMBEDDER,
    });
  return vectors.map((vector) => vector ?? Array.from({ length: size }, () => 0));
}

async function embedOne(
  use: MemoryUse,
  embedder: EmbedderAddress,
  text: string,
): Promise<readonly number[] | undefined> {
  try {
    return (await embed(use, embedder, [text]))[0];
  } catch (thrown) {
    if (isOfText(thrown)) return undefined;
    throw thrown;
  }
}

/** What holds a secret, and what the model finds too long. */
const REFUSED: ReadonlySet<unknown> = new Set([400, 413, 422]);

function isOfText(thrown: unknown): boolean {
  if (!(thrown instanceof Failure)) return false;
  return thrown.code === "denied" || REFUSED.has(thrown.data.details?.["status"]);
}

const filling = new WeakSet<Services>();

/** One for a host; the next search begins again where it has ended. @param fill gives how many are missing */
function fillBehind({ host }: MemoryUse, fill: () => Promise<number>): void {
  if (filling.has(host)) return;
  filling.add(host);
  void (async () => {
    try {
      for (let missing = Infinity, before = Infinity; missing > 0; before = missing) {
        missing = await fill();
        // What cannot be made would be asked for for ever.
        if (missing >= before) return;
      }
    } catch {
      // The next search says why; a host that ends has no more workers.
    } finally {
      filling.delete(host);
    }
  })();
}

const LOOK_AT_EMBEDDER = "Whoever runs this host can look at packs.memory.embedder, and at what the embedder logs.";
const MAX_DIMENSIONS = 8192;
const ANSWER_BYTES: number = 16 * 1024 * 1024;

/** As OpenAI's `/v1/embeddings`. @throws Failure of the network, `command_failed` for another answer than vectors */
async function embed(
  { http }: MemoryUse,
  { url, model, key }: EmbedderAddress,
  texts: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const answer = await http()({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, input: texts }),
    isRepeatable: true,
    maxBytes: ANSWER_BYTES,
    ...(key === undefined ? {} : { credential: "key" }),
  });
  if (answer.status !== 200)
    throw new Failure("command_failed", `Cannot use the embedder: it answered with the status ${answer.status}`, {
      hint: LOOK_AT_EMBEDDER,
      details: { status: answer.status },
    });
  const vectors = readVectors(Buffer.from(answer.body).toString("utf8"), texts.length);
  if (vectors) return vectors;
  throw new Failure("command_failed", "Cannot use the embedder: its answer has not one vector for each text", {
    hint: "packs.memory.embedder.url must be an address as OpenAI's /v1/embeddings.",
  });
}

function readVectors(text: string, count: number): readonly (readonly number[])[] | undefined {
  let data: unknown;
  try {
    ({ data } = JSON.parse(text) as { readonly data?: unknown });
  } catch {
    return undefined;
  }
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: (readonly number[] | undefined)[] = Array.from({ length: count });
  for (const [at, one] of (data as readonly (MadeOne | null)[]).entries()) {
    const index = typeof one?.index === "number" ? one.index : at;
    const embedding = one?.embedding;
    if (isVector(embedding) && index < count) vectors[index] = embedding;
  }
  const [first] = vectors;
  return vectors.every((one): one is readonly number[] => one !== undefined && one.length === first?.length)
    ? vectors
    : undefined;
}

interface MadeOne {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

function isVector(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_DIMENSIONS &&
    value.every((one) => typeof one === "number" && Number.isFinite(one))
  );
}
