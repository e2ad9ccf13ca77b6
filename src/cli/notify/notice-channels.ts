/**
 * The ways in which a person is told: the terminal that somebody looks at, the desktop, and a webhook that the machine's file names.
 * Whichever is not there is left out, silently.
 */
import { openDesktopNotifier, openTerminal } from "../../proc/index.ts";
import type { Notice, NoticeKind } from "./notice-manners.ts";
import { noticeText } from "./notice-text.ts";
import type { NoticeChannel } from "./notifier.ts";
import { postWebhook } from "./post-webhook.ts";
import { keepTitle, terminalNotice, terminalTitle } from "./terminal-notice.ts";

type Environment = Readonly<Record<string, string>>;

/** @param write to a terminal; what it throws is nobody's affair, because the terminal may be gone */
export function terminalChannel(write: (text: string) => void, environment: Environment): NoticeChannel {
  const title = keepTitle(environment);
  const say = (text: string): void => {
    try {
      if (text !== "") write(text);
    } catch {
      // It was closed.
    }
  };
  say(title.begin);
  return {
    tell: (notice) => say(terminalNotice(notice, environment)),
    count: (waiting) => say(terminalTitle(waiting, environment)),
    [Symbol.dispose]: () => say(title.end),
  };
}

const URGENCIES = { new: "normal", again: "normal", expiring: "critical", done: "low" } as const satisfies Record<
  NoticeKind,
  string
>;

/** @param review the command that the button of a notice starts in a terminal */
export function desktopChannel(review: readonly string[], environment: Environment): NoticeChannel | undefined {
  const notifier = openDesktopNotifier(environment);
  if (!notifier) return undefined;
  const action = { label: "Review", run: (): void => void openTerminal(review, environment) };
  return {
    tell(notice) {
      const isDone = notice.kind === "done";
      notifier.show({ ...noticeText(notice), urgency: URGENCIES[notice.kind], ...(isDone ? {} : { action }) });
    },
    [Symbol.dispose]: () => notifier[Symbol.dispose](),
  };
}

/** @param url as the machine's file names it */
export function webhookChannel(url: string): NoticeChannel {
  return {
    tell: (notice) => void postWebhook(url, webhookBody(notice)),
    [Symbol.dispose]: () => undefined,
  };
}

/** How many wait and what they could cost: no path, no diff, no id that could be approved. */
function webhookBody(notice: Notice): object {
  const { kind, waiting } = notice;
  const risks: Record<string, number> = {};
  for (const { risk } of waiting) risks[risk] = (risks[risk] ?? 0) + 1;
  return { event: "ringfence.waiting", kind, text: noticeText(notice).title, waiting: waiting.length, risks };
}
