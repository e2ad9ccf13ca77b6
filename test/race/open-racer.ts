/**
 * The racer from the side of the test: start it once, let it race any pair of names, stop it and hear how often it
 * swapped. Linux only, because only there two names can be exchanged in one step.
 *
 * Usual mistake: to compare or lay files while it runs. Between `stop` and the next `race` the tree stands still.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

export type RacerOrder =
  | { readonly kind: "exchange" | "rename"; readonly a: string; readonly b: string }
  | { readonly kind: "stop" };

export interface RacerReport {
  readonly swaps: number;
  /** Swaps that the system refused, for example because one name was missing for a moment. */
  readonly failed: number;
}

export interface Racer extends AsyncDisposable {
  /** Returns when the race has begun. */
  race(order: RacerOrder): Promise<void>;
  stop(): Promise<RacerReport>;
}

export function openRacer(): Racer {
  const program = Bun.fileURLToPath(new URL("./racer.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, program], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = createInterface({ input: Readable.fromWeb(child.stdout as never) })[Symbol.asyncIterator]();
  const ask = async (order: RacerOrder): Promise<RacerReport> => {
    void child.stdin.write(`${JSON.stringify(order)}\n`);
    void child.stdin.flush();
    const { value, done } = await lines.next();
    if (done === true) throw new Error("the racer has ended");
    return JSON.parse(value) as RacerReport;
  };
  return {
    async race(order) {
      await ask(order);
    },
    stop: async () => await ask({ kind: "stop" }),
    async [Symbol.asyncDispose]() {
      await child.stdin.end();
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
