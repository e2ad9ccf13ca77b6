/**
 * Progress of one request, when its caller gave a token: what the work reports, in words, and a sign of life when it reports
 * nothing for a while. Work that is soon done reports nothing, so short calls are silent; the number only grows, as the
 * protocol demands. Once it is disposed of, nothing is sent: a call that was cancelled or became a task may work on for a while.
 */
import { limits, type Clock, type Timer } from "../../base/index.ts";
import { sayProgress } from "../../text/index.ts";
import { notificationLine, type Writer } from "../../wire/index.ts";

export interface Progress extends Disposable {
  readonly report: (done: number, total: number | undefined, what: string) => void;
}

const EVERY_MS = 1000;
/** The token goes out with every notification; work whose caller gives a longer one is done in silence. */
const MAX_TOKEN_LENGTH = 4096;

export function openProgress(
  params: Readonly<Record<string, unknown>>,
  writer: Writer,
  clock: Clock,
): Progress | undefined {
  const token = (params["_meta"] as { progressToken?: unknown } | undefined | null)?.progressToken;
  const isToken = Number.isSafeInteger(token) || (typeof token === "string" && token.length <= MAX_TOKEN_LENGTH);
  if (!isToken) return undefined;
  const begunMs = clock.monotonicMs();
  let last = 0;
  /** What the work has said last. */
  let latest: string | undefined;
  let total: number | undefined;
  let timer: Timer;
  let isOver = false;

  const send = (progress: number, of: number | undefined, message: string): void => {
    last = progress > last ? progress : last + 1;
    const known = of !== undefined && of >= last ? { total: of } : {};
    writer.send(
      notificationLine("notifications/progress", { progressToken: token, progress: last, ...known, message }),
    );
  };
  const sign = (): void => {
    const seconds = ((clock.monotonicMs() - begunMs) / 1000).toFixed(1);
    const before = latest === undefined ? "" : `${latest}, `;
    send(last + 1, total, `${before}still working after ${seconds} s`);
    timer = clock.after(EVERY_MS, sign);
  };
  timer = clock.after(limits.PROGRESS_AFTER_MS, sign);

  return {
    report(done, of, what) {
      if (isOver) return;
      latest = sayProgress(done, of, what);
      total = of;
      timer[Symbol.dispose]();
      send(done, of, latest);
      timer = clock.after(EVERY_MS, sign);
    },
    [Symbol.dispose]() {
      isOver = true;
      timer[Symbol.dispose]();
    },
  };
}
