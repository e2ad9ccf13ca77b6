/** The wire of both programs of this folder: a line in and parsed, a line out. */
export interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly path?: string } };
}

const output = Bun.stdout.writer();

let gathered = "";

/** What is sent in one turn leaves as one write. @param before called before it does */
export function send(line: string, before: () => void = () => undefined): void {
  if (gathered === "")
    queueMicrotask(() => {
      before();
      void output.write(gathered);
      void output.flush();
      gathered = "";
    });
  gathered += `${line}\n`;
}

/** Ends the process with the input. @param call takes a `tools/call`; everything else is answered with nothing */
export async function serveLines(call: (request: Request, line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.stdin.stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const request = JSON.parse(line) as Request;
      if (request.method === "tools/call") call(request, line);
      else if (request.id !== undefined) send(`{"jsonrpc":"2.0","id":${request.id},"result":{}}`);
    }
  }
  process.exit(0);
}
