/**
 * A review in the browser. This process has no socket: it holds the proposals, decides what is asked of it, and writes the
 * record. The page is served by a child in a fence of its own, which learns what it is asked to show and nothing else.
 *
 * Usual mistake: to give the child something that it could decide with. It has the hash of the capability, and no host.
 */
import { createSecret, Failure, sha256, toFailure, reportBug } from "../../../base/index.ts";
import { START_MARK, cleanEnvironment, hasDesktop } from "../../../config/index.ts";
import type { Host } from "../../../host/index.ts";
import {
  PAGE_ASKS,
  pageAssets,
  type FromServer,
  type PageAskName,
  type PageOrder,
  type ToServer,
} from "../../../page/index.ts";
import { findOpeners, showOnDesktop, startService, type OwnService } from "../../../proc/index.ts";
import { IS_COMPILED, PAGE_MARK } from "../../../start/index.ts";
import { openStateFolder, putLaunchFile } from "../../../state/index.ts";
import { messages, print } from "../../print.ts";
import type { ReviewDesk } from "../review-desk.ts";
import { createPageAnswers, type PageAnswerers } from "./answer-page.ts";
import { createQueueTeller, type QueueTeller } from "./tell-queue.ts";

export interface PageOptions {
  readonly host: Host;
  readonly desk: ReviewDesk;
  readonly port: number;
  /** The review ends when nothing waits. */
  readonly once: boolean;
  /** Whether a browser is opened, where there is a desktop. */
  readonly opens: boolean;
}

/** After so long without a page nobody reviews. */
const IDLE_MS: number = 30 * 60 * 1000;
/** What the pipe carries in one line; what is larger is looked at in the terminal. */
const MAX_ANSWER_CHARS: number = 48 * 1024 * 1024;

/** Until nobody has had the page open for long, or with `once` nothing waits. @throws Failure when it cannot be served */
export async function reviewOnPage(options: PageOptions): Promise<void> {
  const { host, desk, port, opens } = options;
  const [capability, code] = [urlSafe(createSecret()), urlSafe(createSecret())];
  const ready = Promise.withResolvers<void>();
  const over = Promise.withResolvers<string>();
  const queue = createQueueTeller(desk, (items) => say({ queue: items }));
  const answerers = createPageAnswers(host, desk, (id, problem) => queue.noteProblem(id, problem));
  const underWay = new Set<Promise<void>>();
  const say = (word: ToServer | PageOrder): void => service.say(JSON.stringify(word));
  const service: OwnService = await startServer(port, (line) => {
    const word = JSON.parse(line) as FromServer;
    if ("ready" in word) ready.resolve();
    else if ("over" in word) over.resolve(word.over);
    else if ("pages" in word) notePages(options, word);
    else {
      const answering = answer(word, answerers).then((answered) => service.say(answered));
      underWay.add(answering);
      void answering.finally(() => underWay.delete(answering));
    }
  });
  try {
    say({ port, capability: sha256(capability), code: sha256(code), assets: await pageAssets(), idleMs: IDLE_MS });
    const refusal = await Promise.race([ready.promise, over.promise, service.ended.then(() => "its server ended")]);
    if (refusal !== undefined) throw notServed(port, refusal);
    host.audit.record("review_started", { by: "page", port, fence: service.fence });
    const address = `http://127.0.0.1:${port}/`;
    print(`${address}#k=${capability}`);
    messages().info(
      `Open this address to review; it is yours alone. The server's fence: ${service.fence}. Ctrl-C ends it.`,
    );
    using _ = opens && hasDesktop() ? openBrowser(host, `${address}#c=${code}`) : undefined;
    const end = await Promise.race([
      over.promise,
      service.ended.then(() => "its server ended"),
      followToEnd(options, queue, underWay),
    ]);
    messages().info(`The review has ended: ${end}.`);
  } finally {
    service.close();
  }
}

/** What is being applied waits no longer, and is not over yet: the page still has to be told of it. */
async function followToEnd(
  { desk, once }: PageOptions,
  queue: QueueTeller,
  underWay: ReadonlySet<Promise<void>>,
): Promise<string> {
  for (;;) {
    const why = await queue.follow(once);
    await Promise.allSettled(underWay);
    if ((await desk.ids()).length === 0 && underWay.size === 0) return why;
  }
}

async function startServer(port: number, onLine: (line: string) => void): Promise<OwnService> {
  const command = IS_COMPILED ? [process.execPath] : [process.execPath, Bun.main];
  return await startService({
    self: { command, markName: START_MARK },
    mark: (fence) => `${PAGE_MARK}${fence}`,
    port,
    ...(IS_COMPILED ? {} : { unfenced: "only the compiled executable can be fenced" }),
    onLine,
  });
}

let openedBefore = 0;

/** Calls wait for a person only as long as a page is open. */
function notePages(
  { host, desk }: PageOptions,
  { pages, opened }: Extract<FromServer, { readonly pages: number }>,
): void {
  desk.attend(pages > 0);
  if (opened > openedBefore) host.audit.record("review_opened", { by: "page", pages });
  openedBefore = opened;
}

async function answer(
  { id, ask, about }: Extract<FromServer, { readonly ask: string }>,
  answerers: PageAnswerers,
): Promise<string> {
  try {
    if (!Object.hasOwn(PAGE_ASKS, ask))
      throw new Failure("invalid_input", "Cannot answer the page: it asked for nothing");
    const name = ask as PageAskName;
    const said = await answerers[name](PAGE_ASKS[name].parse(about) as never);
    const answered = JSON.stringify({ id, answer: said } satisfies ToServer);
    if (answered.length <= MAX_ANSWER_CHARS) return answered;
    throw new Failure("too_large", "Cannot show it in the browser: it is too large", {
      hint: "Look at it in the terminal, with `ringfence review`.",
    });
  } catch (thrown) {
    const { data } = toFailure(thrown, () => reportBug(thrown));
    return JSON.stringify({ id, failure: data } satisfies ToServer);
  }
}

/** Other users read the arguments of every process: the address with its code goes into a file that they cannot read. */
function openBrowser(host: Host, address: string): Disposable | undefined {
  const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><title>ringfence</title><a href="${address}">Review</a>`;
  const file = putLaunchFile(openStateFolder(host.config.stateDir).review, html);
  try {
    showOnDesktop("open", file.path, findOpeners(cleanEnvironment(), []));
    return file;
  } catch (thrown) {
    file[Symbol.dispose]();
    messages().warn(`No browser was opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return undefined;
  }
}

function notServed(port: number, why: string): Failure {
  return new Failure("unsupported", `Cannot serve the page at port ${port}: ${why}`, {
    hint: "Another review of this state folder may be open already. Give another port with --port NUMBER.",
  });
}

function urlSafe(secret: string): string {
  return secret.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
