/**
 * What a server sent, read in the process that is made for it, within the time that is left of the call. That process reads one page
 * after the other, and is ended when the time of a call is over: the others that it had are read once more.
 */
import { CLOCK, Failure } from "../../base/index.ts";
import type { HttpAnswer } from "../../contract/index.ts";
import type { PageFormat, PageRead, Pages } from "./page-read.ts";

const PIECE_BYTES: number = 4 * 1024 * 1024;

interface HowRead {
  readonly format: PageFormat;
  readonly main: boolean;
}

/** @param ms how long the caller waits @throws Failure `timed_out` after that */
export async function readAnswer(answer: HttpAnswer, how: HowRead, pages: Pages, ms: number): Promise<PageRead> {
  const late = Promise.withResolvers<never>();
  using _ = CLOCK.after(Math.max(0, ms), () =>
    late.reject(
      new Failure("timed_out", `Cannot read "${answer.finalUrl}": it came, and was not read in time`, {
        hint: 'Ask with a longer timeout_ms, or with format "raw". Another page that takes long to read may have held it up.',
        retry: "later",
      }),
    ),
  );
  return await Promise.race([late.promise, readTwice(answer, how, pages)]);
}

async function readTwice(answer: HttpAnswer, how: HowRead, pages: Pages): Promise<PageRead> {
  try {
    return await readOnce(answer, how, pages);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "command_failed" || thrown.data.retry !== "later") throw thrown;
    return await readOnce(answer, how, pages);
  }
}

async function readOnce({ body, headers, finalUrl }: HttpAnswer, how: HowRead, pages: Pages): Promise<PageRead> {
  let handle: string | undefined;
  let at = 0;
  for (; body.length - at > PIECE_BYTES; at += PIECE_BYTES)
    ({ handle } = await pages.put({
      handle,
      at,
      data: Buffer.from(body.subarray(at, at + PIECE_BYTES)).toString("base64"),
    }));
  return await pages.read({
    body: Buffer.from(body.subarray(at)).toString("base64"),
    handle,
    at,
    url: finalUrl,
    contentType: headers["content-type"] ?? "",
    encoding: headers["content-encoding"] ?? "",
    ...how,
  });
}
