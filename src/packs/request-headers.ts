/**
 * The headers that a call of `web_fetch` may send. Their names are taken in any case of letters, as people write them; one that is
 * not permitted is refused by its name, because a credential in it would leave by the hand of a model.
 */
import { Failure } from "../base/index.ts";

/** What a caller may say; all else is the host's. */
export const HEADERS = ["accept", "accept-language", "if-none-match", "range", "content-type"] as const;

export type RequestHeaders = Readonly<Partial<Record<(typeof HEADERS)[number], string>>>;

const PERMITTED: ReadonlySet<string> = new Set(HEADERS);
const HINT = `A call may send ${HEADERS.join(", ")}; a credential is added by the configuration, in packs.web.credentials.`;
const MAX_NAME_CHARS = 60;

/** @throws Failure `invalid_input` that names the header */
export function headersOf(given: Readonly<Record<string, string>> = {}): RequestHeaders {
  const headers = new Map<string, string>();
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    if (!PERMITTED.has(name)) throw refused(written, "may not be sent", HINT);
    if (headers.has(name)) throw refused(written, "is given twice", "Give it once: capitals make no difference.");
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

function refused(written: string, why: string, hint: string): Failure {
  const name = written.length > MAX_NAME_CHARS ? `${written.slice(0, MAX_NAME_CHARS)}...` : written;
  return new Failure("invalid_input", `Cannot call "web_fetch": the header ${JSON.stringify(name)} ${why}`, { hint });
}
