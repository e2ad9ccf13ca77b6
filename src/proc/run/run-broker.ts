/**
 * The broker of programs as a process: no files but those that names and certificates need, no programs, the network. What
 * it is told comes from the pipe of `ReachBroker`; its first line says where it listens.
 */
import { readFileSync, closeSync } from "node:fs";
import { Failure, newId } from "../../base/index.ts";
import { BROKER_MARK, encodedFilter, helperRules, offeredChildFence } from "../../fence/index.ts";
import type { BrokerReady } from "../../reach/index.ts";
import { openPipe } from "../../sys/index.ts";
import type { BrokerProgram } from "../launcher-protocol.ts";
import type { RunningBroker } from "../network/reach-broker.ts";
import { limitsOfOurs, type PlanWorld, type ProgramStart } from "../plan/plan-program.ts";
import { drainPipe } from "./drain-pipe.ts";
import { readLines } from "./lines.ts";
import type { RunWorld } from "./run-program.ts";
import { spawnProgram, type OnKeeper } from "./spawn-program.ts";

/** A broker lives as long as its host. */
const CPU_SECONDS = 86_400;
const TASKS = 64;
const MEMORY_MB = 1024;
const MAX_START_MS = 30_000;

/** A line about a connection; a longer one is none. */
const MAX_CONNECTION_CHARS = 4096;

/** @param input where it is told things @throws Failure when it cannot be started, or does not listen */
export async function runBroker(
  broker: BrokerProgram,
  input: number,
  plan: Pick<PlanWorld, "fence">,
  { trees, self }: Pick<RunWorld, "trees" | "self">,
  onConnection: (line: string) => void,
): Promise<RunningBroker> {
  const [output, errors] = [openPipe(), openPipe()];
  const tree = trees.add(newId("run"));
  const streams = { input, output: output.write, errors: errors.write };
  // It has nothing to say there; a bug of it would.
  const drain = drainPipe(errors.read, () => undefined);
  const onKeeper: OnKeeper = (keeper, followed) => trees.keep(tree, keeper, followed);
  const listening = Promise.withResolvers<number>();
  const lines = readLines(output.read, (line) => hear(line, listening.resolve, onConnection));
  const end = async (): Promise<void> => {
    await trees.end(tree, 0);
    trees.remove(tree);
    await lines.stop();
    await drain.giveUp();
    drain.close();
    closeSync(output.read);
  };
  try {
    const start = { ...startOf(broker, plan), group: tree.group?.folder };
    const program = await spawnProgram(start, { ...self, broker: undefined }, onKeeper, streams).finally(() => {
      for (const fd of [output.write, errors.write]) closeSync(fd);
    });
    const timer = setTimeout(() => listening.resolve(0), MAX_START_MS);
    void program.exited.then(() => listening.resolve(0));
    const port = await listening.promise;
    clearTimeout(timer);
    if (port === 0)
      throw new Failure("unsupported", "Cannot start the broker: it does not say where it listens", {
        hint: "Call again; if it stays so, the lines on stderr say why.",
      });
    return { port, gone: program.exited.then(end) };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

function hear(line: string, onPort: (port: number) => void, onConnection: (line: string) => void): void {
  try {
    const said = JSON.parse(line) as Partial<BrokerReady>;
    if (said.ready) onPort(said.ready.port);
    else if (line.length <= MAX_CONNECTION_CHARS) onConnection(line);
  } catch {
    // It is no word of the broker's.
  }
}

function startOf({ command, unfenced }: BrokerProgram, { fence: mode }: Pick<PlanWorld, "fence">): ProgramStart {
  const [program = "", ...args] = command;
  const offered = unfenced === undefined ? offeredChildFence() : { reason: unfenced };
  const fence =
    mode === "off" || "reason" in offered
      ? {}
      : {
          fence: {
            abi: offered.abi,
            rules: helperRules({
              executable: program,
              maps: readFileSync("/proc/self/maps", "utf8"),
              network: "internet",
            }),
            network: "internet" as const,
            filter: encodedFilter("internet"),
          },
        };
  return {
    program,
    args,
    cwd: "/",
    environment: {},
    mark: `${BROKER_MARK}${"fence" in fence ? "internet" : "unfenced"}`,
    limits: limitsOfOurs({ cpu_seconds: CPU_SECONDS, memory_mb: MEMORY_MB, processes: TASKS, file_mb: 0 }),
    ...fence,
  };
}
