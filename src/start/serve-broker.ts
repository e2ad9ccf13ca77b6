/**
 * This program as the broker of the programs of a host: lines of the launcher and of keepers come in, and where it listens and
 * each connection that has ended go out.
 */
import { loadProgramBroker, type BrokerWord } from "../reach/index.ts";

const MAX_LINE_CHARS: number = 64 * 1024;

/** Until its input ends. */
export async function serveProgramBroker(): Promise<void> {
  const out = Bun.stdout.writer();
  const broker = await loadProgramBroker((said) => {
    void out.write(`${JSON.stringify(said)}\n`);
    void out.flush();
  });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) broker.hear(JSON.parse(line) as BrokerWord);
    if (rest.length > MAX_LINE_CHARS) throw new Error("a line that is too long");
  }
  broker.close();
}
