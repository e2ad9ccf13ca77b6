/**
 * A page of the browser: which of its requests may leave, and what is known of it from what the browser tells. Every request of the
 * page waits here for a word, and it has no sockets, which would not. Dialogs are closed, downloads refused, workers of the page held to the same.
 *
 * Invariant: a page that is asleep gets no request through. What is counted has an end: a page that goes on is stopped.
 *
 * Usual mistake: to answer a request that was refused as one that was blocked. The browser would put a page of its own in the
 * place of the one that is open; an aborted one leaves it as it is.
 */
import { listOf, numberOf, objectOf, textOf, type Cdp, type CdpObject } from "./cdp.ts";
import { PageFacts } from "./page-facts.ts";
import type { BrowserSettings } from "./settings.ts";

export const STEP_MS = 10_000;
/** For a page that is busy with itself. */
const BUSY_MS = 3000;
const MAX_REQUESTS = 2000;
const MAX_DIALOGS = 10;
/** A page that leads from one address to the next for ever. */
const MAX_NAVIGATIONS = 20;
const MAX_MESSAGES = 200;
const MAX_WORKERS = 64;
const MAX_URL_CHARS = 2048;

/** Why a request may not leave; `undefined`: it may. */
export type Gate = (url: string) => string | undefined;

export class OpenPage {
  readonly #cdp: Cdp;
  readonly #session: string;
  readonly #context: string;
  readonly #target: string;
  readonly #workers = new Set<string>();
  #gate: Gate | undefined;
  readonly facts: PageFacts = new PageFacts();
  /** The main frame of a page has the number of its target. */
  readonly frame: string;

  private constructor(cdp: Cdp, ids: { readonly session: string; readonly context: string; readonly target: string }) {
    this.#cdp = cdp;
    this.#session = ids.session;
    this.#context = ids.context;
    this.#target = ids.target;
    this.frame = ids.target;
  }

  /** With a profile that nothing is in. @throws Failure */
  static async open(cdp: Cdp, { width, height }: Pick<BrowserSettings, "width" | "height">): Promise<OpenPage> {
    const made = await cdp.send("Target.createBrowserContext", { disposeOnDetach: true }, STEP_MS);
    const context = textOf(made["browserContextId"], 100);
    const about = { url: "about:blank", browserContextId: context, width, height };
    const target = textOf((await cdp.send("Target.createTarget", about, STEP_MS))["targetId"], 100);
    const attached = await cdp.send("Target.attachToTarget", { targetId: target, flatten: true }, STEP_MS);
    const page = new OpenPage(cdp, { session: textOf(attached["sessionId"], 100), context, target });
    await Promise.all([
      cdp.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId: context }, STEP_MS),
      ...PREPARED.map(async ([method, params]) => await page.send(method, params)),
    ]);
    return page;
  }

  /** Where its main frame is. */
  get url(): string {
    return this.facts.url;
  }

  async send(method: string, params: object, ms: number = STEP_MS): Promise<CdpObject> {
    return await this.#cdp.send(method, params, ms, this.#session);
  }

  /** From now on its requests may leave that the gate lets through. */
  async wake(gate: Gate): Promise<void> {
    this.#gate = gate;
    await this.send("Page.setWebLifecycleState", { state: "active" });
  }

  sleep(): void {
    this.#gate = undefined;
    this.#cdp.tell("Page.setWebLifecycleState", { state: "frozen" }, this.#session);
  }

  /** No script of it goes on, and nothing more is loaded; what is there stays. */
  async stop(why: string): Promise<void> {
    if (this.facts.stopped !== undefined) return;
    this.facts.stop(why);
    this.#cdp.tell("Emulation.setScriptExecutionDisabled", { value: true }, this.#session);
    this.#closeDialog();
    await this.send("Page.stopLoading", {}, BUSY_MS);
  }

  /** A script that was told to end before its dialog is closed opens no other. */
  #closeDialog(): void {
    if (this.facts.stopped !== undefined) this.#cdp.tell("Runtime.terminateExecution", {}, this.#session);
    this.#cdp.tell("Page.handleJavaScriptDialog", { accept: false }, this.#session);
  }

  /** Whoever waits for the page hears whether that has worked. */
  #stopSoon(why: string): void {
    this.stop(why).catch(() => undefined);
  }

  /** The browser with it: what it cannot do any more it can when it is started anew. */
  endBrowser(): void {
    this.#cdp.close();
  }

  async forget(): Promise<void> {
    if (this.#cdp.hasEnded) return;
    this.#cdp.tell("Target.closeTarget", { targetId: this.#target });
    await this.#cdp.send("Target.disposeBrowserContext", { browserContextId: this.#context }, STEP_MS);
  }

  /** An event of the browser. */
  hear(method: string, params: CdpObject, session: string): void {
    if (session !== this.#session && !this.#workers.has(session)) return;
    if (method === "Fetch.requestPaused") this.#answerRequest(params, session);
    else if (method === "Target.attachedToTarget") this.#hold(params);
    else if (session === this.#session) this.#note(method, params);
  }

  #answerRequest(params: CdpObject, session: string): void {
    const { facts } = this;
    const requestId = textOf(params["requestId"], 200);
    const url = textOf(objectOf(params["request"])["url"], MAX_URL_CHARS + 1);
    const isMain = params["frameId"] === this.frame && params["resourceType"] === "Document";
    const status = params["responseStatusCode"];
    if (status !== undefined) {
      if (isMain) facts.answer(numberOf(status), contentTypeOf(params));
      this.#cdp.tell("Fetch.continueRequest", { requestId }, session);
      return;
    }
    const why = facts.stopped ?? (url.length > MAX_URL_CHARS ? "its address is too long" : this.#refusal(url));
    if (why === undefined) this.#cdp.tell("Fetch.continueRequest", { requestId }, session);
    else {
      if (facts.stopped === undefined && this.#gate) facts.refuse(url, why, isMain);
      this.#cdp.tell("Fetch.failRequest", { requestId, errorReason: "Aborted" }, session);
    }
    if (++facts.requests > MAX_REQUESTS) this.#stopSoon(`it made more than ${MAX_REQUESTS} requests`);
  }

  #refusal(url: string): string | undefined {
    // These lead nowhere: their content is in the address or in the page.
    if (/^(?:data|blob):/i.test(url)) return undefined;
    return this.#gate ? this.#gate(url) : "no call is under way";
  }

  /** A worker or a frame in a process of its own waits until its requests are watched too. */
  #hold({ sessionId, targetInfo }: CdpObject): void {
    const session = textOf(sessionId, 100);
    const type = textOf(objectOf(targetInfo)["type"], 40);
    if (!["worker", "iframe"].includes(type) || this.#workers.size >= MAX_WORKERS) return;
    this.#workers.add(session);
    this.#cdp.tell("Fetch.enable", { patterns: [{ urlPattern: "*" }] }, session);
    this.#cdp.tell("Target.setAutoAttach", ATTACH, session);
    if (type === "worker") this.#cdp.tell("Runtime.evaluate", { expression: WITHOUT_SOCKETS }, session);
    else for (const [method, params] of UNSOCKETED) this.#cdp.tell(method, params, session);
    this.#cdp.tell("Runtime.runIfWaitingForDebugger", {}, session);
  }

  #note(method: string, params: CdpObject): void {
    const { facts } = this;
    switch (method) {
      case "Page.frameNavigated": {
        const frame = objectOf(params["frame"]);
        if (frame["parentId"] === undefined) facts.url = textOf(frame["url"], MAX_URL_CHARS);
        return;
      }
      case "Page.navigatedWithinDocument":
        if (params["frameId"] === this.frame) facts.url = textOf(params["url"], MAX_URL_CHARS);
        return;
      case "Page.lifecycleEvent":
        if (params["frameId"] !== this.frame) return;
        facts.reach(textOf(params["name"], 40));
        if (facts.navigations > MAX_NAVIGATIONS) this.#stopSoon("it leads from one address to the next without an end");
        return;
      case "Page.javascriptDialogOpening":
        if (++facts.dialogs > MAX_DIALOGS && facts.stopped === undefined)
          this.#stopSoon(`it opened more than ${MAX_DIALOGS} dialogs`);
        else this.#closeDialog();
        return;
      case "Page.downloadWillBegin":
        facts.download(textOf(params["suggestedFilename"], 100));
        return;
      case "Inspector.targetCrashed":
        facts.crash();
        return;
      case "Runtime.consoleAPICalled":
        if (params["type"] === "error" || params["type"] === "assert") facts.complain(spokenIn(params["args"]));
        break;
      case "Runtime.exceptionThrown": {
        const details = objectOf(params["exceptionDetails"]);
        const said = textOf(objectOf(details["exception"])["description"], 1000);
        facts.complain(said === "" ? textOf(details["text"], 1000) : said);
        break;
      }
      case "Log.entryAdded": {
        const entry = objectOf(params["entry"]);
        if (entry["level"] === "error") facts.complain(textOf(entry["text"], 1000));
        break;
      }
      default:
        return;
    }
    if (++facts.messages === MAX_MESSAGES)
      for (const domain of ["Runtime", "Log"]) this.#cdp.tell(`${domain}.disable`, {}, this.#session);
  }
}

/**
 * What is no request and so waits for no word is taken from every global before its first script, also from those of frames without
 * scripts: nothing but its constructor leads to it.
 */
const WITHOUT_SOCKETS = `for (const name of "WebSocket WebSocketStream WebTransport RTCPeerConnection webkitRTCPeerConnection".split(" "))
  delete globalThis[name]`;
const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

const UNSOCKETED: readonly (readonly [method: string, params: object])[] = [
  ["Page.enable", {}],
  ["Page.addScriptToEvaluateOnNewDocument", { source: WITHOUT_SOCKETS, runImmediately: true }],
];

const PREPARED: typeof UNSOCKETED = [
  ...UNSOCKETED,
  ["Page.setLifecycleEventsEnabled", { enabled: true }],
  ["Runtime.enable", {}],
  ["Log.enable", {}],
  ["Target.setAutoAttach", ATTACH],
  // The answer to a document has the status, which is told nowhere else.
  [
    "Fetch.enable",
    {
      patterns: [
        { urlPattern: "*", requestStage: "Request" },
        { urlPattern: "*", resourceType: "Document", requestStage: "Response" },
      ],
    },
  ],
];

function contentTypeOf(params: CdpObject): string {
  const headers = listOf(params["responseHeaders"]).map(objectOf);
  const found = headers.find(({ name }) => textOf(name, 40).toLowerCase() === "content-type");
  return textOf(found?.["value"], 200);
}

/** What was given to the console, as far as it is text or has a description. */
function spokenIn(args: unknown): string {
  return listOf(args)
    .slice(0, 8)
    .map(objectOf)
    .map(({ value, description }) => (typeof value === "string" ? value.slice(0, 500) : textOf(description, 500)))
    .join(" ");
}
