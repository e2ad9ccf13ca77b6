/**
 * What is known of a page since its visit began, and who waits for it to be there. All of it is somebody else's, and bounded.
 */
const MAX_REFUSED = 20;
const MAX_COMPLAINTS = 20;
const MAX_COMPLAINT_CHARS = 300;

export interface RefusedRequest {
  /** `https://host:port`, or the whole address where it has no host. */
  readonly to: string;
  readonly why: string;
}

export class PageFacts {
  url = "about:blank";
  status: number | undefined;
  contentType = "";
  requests = 0;
  dialogs = 0;
  messages = 0;
  navigations = 0;
  stopped: string | undefined;
  /** The process of the page has ended. */
  hasCrashed = false;
  downloaded: string | undefined;
  /** The address that the main frame was kept from. */
  mainRefused: (RefusedRequest & { readonly url: string }) | undefined;
  readonly refused: Map<string, RefusedRequest> = new Map();
  refusedCount = 0;
  readonly complaints: string[] = [];
  #isLoaded = false;
  #isQuiet = false;
  #changed = Promise.withResolvers<void>();

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Loaded, and for half a second without a request. */
  get isSettled(): boolean {
    return this.#isLoaded && this.#isQuiet;
  }

  /** Nothing more is to be waited for. */
  get isOver(): boolean {
    return this.stopped !== undefined || this.hasCrashed;
  }

  /** Settles when something of this changes. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  answer(status: number, contentType: string): void {
    this.status = status;
    this.contentType = contentType;
  }

  /** By the names that the browser has for the stages of a page. */
  reach(stage: string): void {
    if (stage === "init") {
      this.navigations++;
      [this.#isLoaded, this.#isQuiet] = [false, false];
    } else if (stage === "load") this.#isLoaded = true;
    else if (stage === "networkIdle") this.#isQuiet = true;
    else return;
    this.#tell();
  }

  refuse(url: string, why: string, isMain: boolean): void {
    const to = placeOf(url);
    this.refusedCount++;
    if (this.refused.size < MAX_REFUSED) this.refused.set(`${to} ${why}`, { to, why });
    if (isMain) this.mainRefused = { to, why, url };
  }

  complain(words: string): void {
    if (this.complaints.length < MAX_COMPLAINTS) this.complaints.push(words.slice(0, MAX_COMPLAINT_CHARS));
  }

  download(name: string): void {
    this.downloaded = name;
    this.#tell();
  }

  stop(why: string): void {
    this.stopped = why;
    this.#tell();
  }

  crash(): void {
    this.hasCrashed = true;
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function placeOf(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 100);
  const { protocol, host } = new URL(url);
  return host === "" ? url.slice(0, 100) : `${protocol}//${host}`;
}
