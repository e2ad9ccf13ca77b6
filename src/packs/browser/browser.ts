/**
 * The one browser of a host: started with the first call, used by one call at a time, ended when nobody has used it for a while. Each
 * visit has a profile of its own in it, which is forgotten with the next one.
 *
 * Invariant: what the browser does belongs to a call. Between two calls its page is frozen and none of its requests leaves.
 */
import { CLOCK, Failure, type Timer } from "../../base/index.ts";
import type { ProgramApi } from "../../contract/index.ts";
import { Cdp, objectOf, textOf, type CdpObject } from "./cdp.ts";
import { OpenPage } from "./open-page.ts";
import type { BrowserSettings } from "./settings.ts";

/** Calls that wait for their turn; each may take a minute. */
const MAX_WAITING = 8;
/** The first start after the machine's own reads some hundred megabytes. */
const START_MS = 25_000;
const STEP_MS = 10_000;

/** What a call brings. */
export interface BrowserUse {
  readonly program: ProgramApi;
  /** Aborted when the caller leaves and when the call is over. */
  readonly signal: AbortSignal;
}

export class Browser {
  readonly #settings: Pick<BrowserSettings, "idle_seconds" | "width" | "height">;
  #cdp: Cdp | undefined;
  #page: OpenPage | undefined;
  #idle: Timer | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(settings: Pick<BrowserSettings, "idle_seconds" | "width" | "height">) {
    this.#settings = settings;
  }

  /** Where its page is; `undefined` when none is open. */
  get url(): string | undefined {
    return this.#cdp?.hasEnded === false ? this.#page?.url : undefined;
  }

  /** @throws Failure `not_found` when none is open */
  async withPage<T>(use: BrowserUse, work: (page: OpenPage) => Promise<T>): Promise<T> {
    return await this.#inTurn(use, async () => {
      if (!this.#page || this.#cdp?.hasEnded !== false)
        throw new Failure("not_found", "Cannot take a picture: no page is open", {
          hint: "Name its url, or call browser_navigate first. A browser that is not used ends after a while.",
        });
      return await this.#using(this.#cdp, this.#page, use, work);
    });
  }

  /** Forgets the page before. @throws Failure */
  async withNewPage<T>(use: BrowserUse, work: (page: OpenPage) => Promise<T>): Promise<T> {
    return await this.#inTurn(use, async () => {
      const cdp = await this.#running(use.program);
      try {
        await this.#page?.forget();
        this.#page = undefined;
        this.#page = await OpenPage.open(cdp, this.#settings);
      } catch (thrown) {
        // A browser that makes no page makes none later either.
        cdp.close();
        throw thrown;
      }
      try {
        return await this.#using(cdp, this.#page, use, work);
      } catch (thrown) {
        // Nothing was opened, so there is nothing to look at.
        const page = this.#page;
        this.#page = undefined;
        await page.forget().catch(() => cdp.close());
        throw thrown;
      }
    });
  }

  async #using<T>(
    cdp: Cdp,
    page: OpenPage,
    { program, signal }: BrowserUse,
    work: (page: OpenPage) => Promise<T>,
  ): Promise<T> {
    const left = Promise.withResolvers<never>();
    const leave = (): void =>
      left.reject(new Failure("cancelled", "Cannot finish the call: it was cancelled, or out of time"));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    void cdp.ended.then(left.reject);
    // Nobody may be waiting any more.
    left.promise.catch(() => undefined);
    try {
      await page.wake((url) => program.refuses(url));
      return await Promise.race([work(page), left.promise]);
    } catch (thrown) {
      // What is half done is no page to look at.
      if (cdp.isStuck || signal.aborted) cdp.close();
      throw thrown;
    } finally {
      signal.removeEventListener("abort", leave);
      page.sleep();
    }
  }

  async #inTurn<T>({ signal }: BrowserUse, work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new Failure("busy", `Cannot use the browser: ${MAX_WAITING} calls wait for it`, { retry: "later" });
    this.#waiting++;
    const before = this.#last;
    const turn = (async () => {
      await before.catch(() => undefined);
      this.#waiting--;
      if (signal.aborted) throw new Failure("cancelled", "Cannot finish the call: it was cancelled, or out of time");
      this.#idle?.[Symbol.dispose]();
      try {
        return await work();
      } finally {
        this.#endWhenIdle();
      }
    })();
    this.#last = turn;
    return await turn;
  }

  async #running(program: ProgramApi): Promise<Cdp> {
    if (this.#cdp?.hasEnded === false) return this.#cdp;
    this.#page = undefined;
    const cdp = new Cdp(program);
    this.#cdp = cdp;
    try {
      cdp.onEvent = (method, params, session) => {
        if (method === "Target.attachedToTarget" && session === "") closeOther(cdp, params);
        else this.#page?.hear(method, params, session);
      };
      await cdp.send("Browser.getVersion", {}, START_MS);
      // Service and shared workers are paused at their start and never resumed.
      const filter = [{ type: "service_worker" }, { type: "shared_worker" }, { exclude: true }];
      const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter };
      await cdp.send("Target.setAutoAttach", attach, STEP_MS);
      return cdp;
    } catch (thrown) {
      cdp.close();
      throw thrown;
    }
  }

  #endWhenIdle(): void {
    this.#idle?.[Symbol.dispose]();
    if (this.#waiting > 0 || this.#cdp?.hasEnded !== false) return;
    this.#idle = CLOCK.after(this.#settings.idle_seconds * 1000, () => this.#cdp?.close());
    this.#idle.unref();
  }
}

function closeOther(cdp: Cdp, { targetInfo }: CdpObject): void {
  const { targetId, type } = objectOf(targetInfo);
  if (type === "shared_worker") cdp.tell("Target.closeTarget", { targetId: textOf(targetId, 100) });
}
