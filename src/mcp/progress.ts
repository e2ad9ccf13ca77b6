/**
 * Progress of one request, when its caller gave a token: what the work reports, in words, and a sign of life when it reports
 * nothing. The first goes out after 200 ms, so short calls are silent, and says what is known by then; the number only
 * grows, as the protocol demands. Once it is disposed of, nothing is sent: a call that was cancelled or became a task may work on for a while.
 */
import { limits, type Clock, type Timer } from "../base/index.ts";
import { sayProgress } from "../text/index.ts";
import { notificationLine, type Writer } from "../wire/index.ts";

export interface Progress extends Disposable {
  readonly report: (done: number, total: number | undefined, what: string) => void;
}

interface Report {
  readonly done: number;
  readonly total: number | undefined;
  readonly words: string;
}

const EVERY_MS = 1000;
/** It goes out with every notification; work whose caller gives a longer one is done in silence. */
const MAX_TOKEN_LENGTH = 4096;

export function openProgress(
  params: Readonly<Record<string, unknown>>,
  writer: Writer,
  clock: Clock,
): Progress | undefined {
  const token = (params["_meta"] as { progressToken?: unknown } | undefined | null)?.progressToken;
  const isToken =
    Number.isSafeInteger(token) || (typeof token === "string" && token.length <= MAX_TOKEN_LENGTH);
  if (!isToken) return undefined;
  const begunMs = clock.monotonicMs();
  let last = 0;
  /** What the work has said last, and whether that was sent. */
  let latest: Report | undefined;
  let isTold = false;
  let timer: Timer;
  let isOver = false;

  const send = (progress: number, total: number | undefined, message: string): void => {
    last = progress > last ? progress : last + 1;
    const known = total !== undefined && total >= last ? { total } : {};
    writer.send(
      notificationLine("notifications/progress", { progressToken: token, progress: last, ...known, message }),
    );
  };
  const tell = ({ done, total, words }: Report): void => {
    isTold = true;
    send(done, total, words);
  };
  const sign = (): void => {
    if (latest && !isTold) tell(latest);
    else {
      const seconds = ((clock.monotonicMs() - begunMs) / 1000).toFixed(1);
      const before = latest ? `${latest.words}, ` : "";
      send(last + 1, latest?.total, `${before}still working after ${seconds} s`);
    }
    timer = clock.after(EVERY_MS, sign);
  };
  timer = clock.after(limits.PROGRESS_AFTER_MS, sign);

  return {
    report(done, total, what) {
      if (isOver) return;
      latest = { done, total, words: sayProgress(done, total, what) };
      isTold = false;
      if (clock.monotonicMs() - begunMs < limits.PROGRESS_AFTER_MS) return;
      timer[Symbol.dispose]();
      tell(latest);
      timer = clock.after(EVERY_MS, sign);
    },
    [Symbol.dispose]() {
      isOver = true;
      timer[Symbol.dispose]();
    },
  };
}
