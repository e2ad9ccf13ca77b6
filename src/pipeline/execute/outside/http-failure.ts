/**
 * What a tool is told of an exchange that failed: why, and whether the request may be made again.
 */
import { Failure, failureFromData, type FailureCode } from "../../../base/index.ts";
import type { ExchangeSaid } from "../../../reach/index.ts";
import type { CheckedRequest } from "./check-request.ts";

type Problem = Extract<ExchangeSaid, { problem: unknown }>;
type FailedRequest = Pick<CheckedRequest, "host" | "port" | "maxBytes" | "timeoutMs" | "isRepeatable">;

/** @param dialled what was connected to, for people: the host or a proxy */
export function failureOf(
  { host, port, maxBytes, timeoutMs, isRepeatable }: FailedRequest,
  { problem, why, hint = "" }: Problem,
  dialled: string,
): Failure {
  const what = `Cannot reach "${host}:${port}"`;
  switch (problem) {
    case "denied":
      return new Failure("denied", `${what}: no address of it may be reached`, {
        hint: "Its name has no address, or one that network.ranges of the configuration does not open. The record says which.",
      });
    case "exposed":
      return new Failure(
        "denied",
        `${what} over http: a credential of the configuration goes there, which could be read on the way`,
        {
          hint: "Write https:// in the address.",
        },
      );
    case "credential":
      return new Failure("denied", why, { hint });
    case "busy":
      return new Failure("busy", `${what}: it has had too many requests within a minute`);
    case "full":
      return new Failure(
        "busy",
        `Cannot take the answer of "${host}:${port}": too many long ones come at once`,
        isRepeatable ? { hint: "Call again when other calls have ended.", retry: "later" } : MADE,
      );
    case "timed_out":
      return new Failure(
        "timed_out",
        `${what}: no whole answer within ${timeoutMs} ms`,
        isRepeatable ? { hint: "Ask with a longer timeout_ms, or for less." } : MAYBE_MADE,
      );
    case "too_large":
      return new Failure(
        "too_large",
        `Cannot take the answer of "${host}:${port}": it has more than ${maxBytes} bytes`,
        isRepeatable ? {} : MADE,
      );
    case "tls":
      return new Failure("command_failed", `${what}: its certificate is not believed (${readable(why)})`, {
        hint: "network.ca of the configuration names a file with the certificates of a company.",
        details: { problem },
      });
    case "connect":
      return new Failure("command_failed", `${what}: ${unconnected(why, dialled)}`, {
        hint: "Nothing was sent. Look at the address, or call again in a moment.",
        retry: isRepeatable ? "later" : "changed",
      });
    case "broken":
      return new Failure(
        "command_failed",
        `${what}: the connection failed (${readable(why)})`,
        isRepeatable ? { hint: "Call again in a moment.", retry: "later" } : MAYBE_MADE,
      );
  }
}

/** For a request that changes something on a server: made again, it may change it twice. */
const MADE = {
  hint: "The server has had the request: look there before it is made again.",
  retry: "changed",
} as const;
const MAYBE_MADE = {
  ...MADE,
  hint: "The server may have had the request: look there before it is made again.",
} as const;

/** How a call of the broker ends that may have sent the request before. */
const LOST: readonly FailureCode[] = ["command_failed", "timed_out", "too_large"];

/** What a tool is told where the answer is lost or of no use, whatever was thrown for it. */
export function lostAnswer({ isRepeatable }: FailedRequest, thrown: unknown): unknown {
  if (isRepeatable || !(thrown instanceof Failure) || !LOST.includes(thrown.code)) return thrown;
  return failureFromData({ ...thrown.data, ...MAYBE_MADE });
}

/** What a code of the system means, for one who does not know them. */
function unconnected(why: string, place: string): string {
  const code = /\b(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/.exec(why)?.[0];
  if (code === "ECONNREFUSED" || /ConnectionRefused/i.test(why)) return `nothing listens at ${place} (ECONNREFUSED)`;
  return code === undefined ? `it could not be connected to (${readable(why)})` : `no way leads there (${code})`;
}

/** The words of the runtime, without the address that was dialled and without its advice, which is for programmers. */
function readable(why: string): string {
  return why
    .replace(/\.? *For more information, pass `verbose: true`.*$/s, "")
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .replaceAll(/(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:]+\]/gi, "...")
    .slice(0, 120);
}
