/**
 * A helper's whole life: it is told which power it has, loads the code of that, and answers calls until its input ends. Calls
 * run beside each other; each can be told to stop.
 *
 * Usual mistake of code in here: to print. Standard output carries the answers; what is no answer is dropped. An answer begins
 * a line of its own, so that a print without a newline does not take the answer with it.
 */
import { Failure } from "../../base/index.ts";
import type { HelperAnswer, HelperOrder, HelperRequest } from "../launcher-protocol.ts";
import { readLines, TextWriter } from "../run/lines.ts";

/** The code of a power. @throws Failure, or anything else for a bug */
export type PowerCode = (call: string, ask: unknown, signal: AbortSignal) => Promise<unknown>;

const [INPUT, OUTPUT] = [0, 1];

/** @param load the code of the power that it is told to be */
export async function serveHelper(load: (order: HelperOrder) => Promise<PowerCode>): Promise<void> {
  const writer = new TextWriter(OUTPUT);
  const running = new Map<number, AbortController>();
  let code: Promise<PowerCode> | undefined;
  const connection = readLines(INPUT, (line) => {
    if (!code) {
      code = load(JSON.parse(line) as HelperOrder);
      // Every call says why the code could not be loaded.
      code.catch(() => undefined);
      return;
    }
    const request = JSON.parse(line) as HelperRequest;
    if ("cancel" in request) {
      running.get(request.id)?.abort();
      return;
    }
    void serveOne(request, code);
  });
  await connection.ended;

  async function serveOne(asked: Asked, loaded: Promise<PowerCode>): Promise<void> {
    const stop = new AbortController();
    running.set(asked.id, stop);
    const said = await answer(asked, loaded, stop);
    running.delete(asked.id);
    writer.write(`\n${JSON.stringify(said)}\n`);
  }
}

type Asked = Extract<HelperRequest, { readonly call: string }>;

async function answer(
  { id, call, ask, answerBytes }: Asked,
  code: Promise<PowerCode>,
  stop: AbortController,
): Promise<HelperAnswer> {
  try {
    const value = await (await code)(call, ask, stop.signal);
    const size = Buffer.byteLength(JSON.stringify(value ?? null));
    if (size <= answerBytes) return { id, answer: value ?? null };
    throw new Failure("too_large", `Cannot answer: ${size} bytes are more than the ${answerBytes} of this power`, {
      hint: "Ask for less.",
    });
  } catch (thrown) {
    if (thrown instanceof Failure) return { id, failure: thrown.data };
    return { id, bug: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}
