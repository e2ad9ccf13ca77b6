/**
 * The server of the page, in a process that has one port and nothing else. It is told by its first line what to be, serves
 * until its input ends or nobody has had a page open for long, and asks the reviewer that started it for everything.
 *
 * Read `gate.ts` first: who may ask. Usual mistake: to answer something before the gate, or without `STRICT_HEADERS`.
 */
import { ZodError } from "zod";
import { createSecret, Failure, reportBug, sha256, toFailure, type FailureData } from "../../base/index.ts";
import type { PageOrder } from "../protocol.ts";
import { createAnswers } from "./answers.ts";
import { openColorist, type Colorist } from "./color-texts.ts";
import {
  CAPABILITY_HEADER,
  isSecret,
  refuseAsk,
  refuseLoad,
  refuseName,
  STRICT_HEADERS,
  type Refusal,
} from "./gate.ts";
import { HeldProposals } from "./held-proposals.ts";
import { OpenPages } from "./open-pages.ts";
import { openReviewerLine } from "./reviewer-line.ts";

/** The longest thing that a page says: all that was chosen of the largest proposal. */
const MAX_BODY_BYTES: number = 8 * 1024 * 1024;
/** Wrong codes after which the right one is worth nothing. */
const MAX_GUESSES = 3;
const IDLE_SECONDS = 60;

/** Until the end of the reviewer, or of its own use. */
export async function servePage(): Promise<void> {
  const reviewer = openReviewerLine();
  const order = await reviewer.order;
  const over = Promise.withResolvers<string>();
  let opened = 0;
  const pages = new OpenPages({
    onPages: (open, isNew) => reviewer.tell({ pages: open, opened: (opened += isNew ? 1 : 0) }),
    onIdle: () => over.resolve("nobody had the page open"),
    idleMs: order.idleMs,
  });
  let colorist: Colorist | undefined;
  let ids: readonly string[] = [];
  const held = new HeldProposals(reviewer);
  const answers = createAnswers({
    reviewer,
    held,
    colorist: () => (colorist ??= openColorist()),
    nextOf: (id) => ids[ids.indexOf(id) + 1],
  });
  reviewer.onQueue((queue) => {
    ids = queue.map(({ id }) => id);
    pages.tellQueue(queue);
    held.prepare(ids[0]);
  });
  const capabilities = new Capabilities(order);
  try {
    Bun.serve({
      hostname: "127.0.0.1",
      port: order.port,
      maxRequestBodySize: MAX_BODY_BYTES,
      idleTimeout: IDLE_SECONDS,
      development: false,
      fetch: answering({ order, pages, answers, capabilities }),
      error: () => refused({ status: 500, why: "a mistake of the server" }),
    });
    reviewer.tell({ ready: order.port });
  } catch (thrown) {
    over.resolve(thrown instanceof Error ? thrown.message : String(thrown));
  }
  const why = await Promise.race([over.promise, reviewer.ended.then(() => undefined)]);
  if (why !== undefined) reviewer.tell({ over: why });
}

interface Served {
  readonly order: PageOrder;
  readonly pages: OpenPages;
  readonly answers: ReturnType<typeof createAnswers>;
  readonly capabilities: Capabilities;
}

/** Answers one request. Whatever it is, the gate comes first. */
function answering({ order, pages, answers, capabilities }: Served): (request: Request) => Promise<Response> {
  return answer;

  async function answer(request: Request): Promise<Response> {
    const { port, assets } = order;
    const named = refuseName(request, port);
    if (named) return refused(named);
    const { pathname } = new URL(request.url);
    const file = FILES[pathname];
    if (file) {
      const refusal = refuseLoad(request, pathname === "/");
      return refusal ? refused(refusal) : respond(assets[file.asset], file.type);
    }
    const name = /^\/api\/([a-z]+)$/.exec(pathname)?.[1];
    if (name === undefined) return refused({ status: 404, why: "there is nothing here" });
    const refusal = refuseAsk(request, port);
    if (refusal) return refused(refusal);
    if (name === "launch") return await launch(request);
    if (!capabilities.holds(request.headers.get(CAPABILITY_HEADER))) return refused(NOT_KNOWN);
    if (name === "events") {
      const stream = pages.open();
      return stream
        ? respond(stream, "application/x-ndjson")
        : refused({ status: 503, why: "too many pages are open" });
    }
    const found = answers.get(name);
    if (!found) return refused({ status: 404, why: "there is nothing here" });
    try {
      return respond(JSON.stringify(await found(await request.json())), JSON_TYPE);
    } catch (thrown) {
      return failed(thrown);
    }
  }

  async function launch(request: Request): Promise<Response> {
    const { code } = ((await request.json().catch(() => ({}))) ?? {}) as { readonly code?: unknown };
    const capability = capabilities.exchange(typeof code === "string" ? code : "");
    return capability === undefined ? refused(NOT_KNOWN) : respond(JSON.stringify({ capability }), JSON_TYPE);
  }
}

const NOT_KNOWN: Refusal = { status: 401, why: "the capability is not known" };
const JSON_TYPE = "application/json";
const FILES: Readonly<Record<string, { readonly asset: keyof PageOrder["assets"]; readonly type: string }>> = {
  // A path may be called `constructor`.
  ...(Object.create(null) as object),
  "/": { asset: "html", type: "text/html; charset=utf-8" },
  "/page.js": { asset: "script", type: "text/javascript; charset=utf-8" },
  "/page.css": { asset: "style", type: "text/css; charset=utf-8" },
};

/** The capability of the printed address, and one that the launch file is changed for, one time. */
class Capabilities {
  readonly #hashes: string[];
  #code: string | undefined;
  #guesses = 0;

  constructor({ capability, code }: PageOrder) {
    this.#hashes = [capability];
    this.#code = code;
  }

  holds(given: string | null): boolean {
    // Each is compared: how long it takes tells nothing.
    return this.#hashes.map((hash) => isSecret(given, hash)).includes(true);
  }

  exchange(code: string): string | undefined {
    if (this.#code === undefined) return undefined;
    const isRight = isSecret(code, this.#code);
    if (isRight || ++this.#guesses >= MAX_GUESSES) this.#code = undefined;
    if (!isRight) return undefined;
    const capability = createSecret();
    this.#hashes.push(sha256(capability));
    return capability;
  }
}

function respond(body: string | ReadableStream<Uint8Array>, type: string, status = 200): Response {
  return new Response(body, { status, headers: { ...STRICT_HEADERS, "content-type": type } });
}

function refused({ status, why }: Refusal): Response {
  return respond(`${why}\n`, "text/plain; charset=utf-8", status);
}

/** As data, for the page to show: what went wrong is the person's business. */
function failed(thrown: unknown): Response {
  if (thrown instanceof ZodError || thrown instanceof SyntaxError)
    return refused({ status: 400, why: "the words are not understood" });
  const data: FailureData = toFailure(thrown, () => reportBug(thrown)).data;
  return respond(JSON.stringify({ failure: data }), JSON_TYPE, thrown instanceof Failure ? 409 : 500);
}
