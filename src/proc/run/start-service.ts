/**
 * This program once more as a service for a person: lines go in, lines come out, and it lives until its input ends or whoever
 * started it is gone. On Linux a keeper bears it behind its fence: no file of anybody, no program to start, one port that it
 * may bind, and no connection that it may make. Elsewhere it is an ordinary child, and `fence` says so.
 */
import { closeSync, readFileSync } from "node:fs";
import { encodedFilter, helperRules, offeredChildFence, type ExecPlan } from "../../fence/index.ts";
import { neverWait, openPipe } from "../../sys/index.ts";
import type { SelfStart } from "../launcher-protocol.ts";
import { readLines, TextWriter } from "./lines.ts";
import { spawnProgram } from "./spawn-program.ts";

export interface ServiceStart {
  readonly self: SelfStart;
  /** From a fence to what the start mark says. */
  readonly mark: (fence: "listen" | "unfenced") => string;
  /** The TCP port that it may bind. */
  readonly port: number;
  /** Why it cannot be fenced whatever the kernel offers. */
  readonly unfenced?: string | undefined;
  readonly onLine: (line: string) => void;
}

export interface OwnService {
  /** "kernel (Landlock ABI 7), one port, no files, no programs", or why there is none. */
  readonly fence: string;
  readonly say: (text: string) => void;
  /** Settles when it has ended, however that came. */
  readonly ended: Promise<void>;
  /** Lets it end by itself. */
  readonly close: () => void;
}

/** The service makes no other process and writes no file. */
const LIMITS: ExecPlan["limits"] = { CORE: 0, FSIZE: 0 };

/** @throws Failure when it cannot be started */
export async function startService({ self, mark, port, unfenced, onLine }: ServiceStart): Promise<OwnService> {
  const [program = "", ...args] = self.command;
  const offered = unfenced === undefined ? offeredChildFence() : { reason: unfenced };
  const said = mark("abi" in offered ? "listen" : "unfenced");
  if (process.platform !== "linux")
    return startChild(
      [program, ...args],
      { [self.markName]: said },
      `none (${"reason" in offered ? offered.reason : ""})`,
      onLine,
    );
  const maps = readFileSync("/proc/self/maps", "utf8");
  const network = "listen";
  const fence =
    "abi" in offered
      ? ({
          abi: offered.abi,
          rules: helperRules({ executable: program, maps, network: "none" }),
          network,
          port,
          filter: encodedFilter(network),
        } as const)
      : undefined;
  const [input, output] = [openPipe(), openPipe()];
  neverWait(input.write);
  try {
    const started = await spawnProgram(
      { program, args, cwd: "/", environment: {}, mark: said, limits: LIMITS, fence },
      self,
      () => undefined,
      { input: input.read, output: output.write, errors: 2 },
    );
    const writer = new TextWriter(input.write);
    const reader = readLines(output.read, onLine);
    return {
      fence:
        "abi" in offered
          ? `kernel (Landlock ABI ${offered.abi}), one port, no files, no programs`
          : `none (${offered.reason})`,
      say: (text) => void writer.write(`${text}\n`),
      ended: Promise.all([started.exited, reader.ended.catch(() => undefined)]).then(() => undefined),
      close: () => writer.close(),
    };
  } catch (thrown) {
    for (const fd of [input.write, output.read]) closeSync(fd);
    throw thrown;
  } finally {
    for (const fd of [input.read, output.write]) closeSync(fd);
  }
}

function startChild(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  fence: string,
  onLine: (line: string) => void,
): OwnService {
  const child = Bun.spawn([...command], { env: { ...environment }, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const reading = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    }
  })();
  process.on("exit", () => child.kill());
  return {
    fence,
    say: (text) => {
      void child.stdin.write(`${text}\n`);
      void child.stdin.flush();
    },
    ended: Promise.all([child.exited, reading]).then(() => undefined),
    close: () => void child.stdin.end(),
  };
}
