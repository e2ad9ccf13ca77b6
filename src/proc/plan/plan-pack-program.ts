/**
 * From the name of a pack to the program that its tools speak to: no roots, no files but those of the system and a folder of its own,
 * and a network that is a list, all of which goes by way of the broker.
 *
 * Usual mistake: to hand it descriptors 3 and 4 by the keeper. The keeper's own pipes have these numbers, in a table of descriptors
 * that both share until the program is there; so a shell puts them in place, behind the fence, and becomes the program.
 */
import { Failure } from "../../base/index.ts";
import type { PackProgram } from "../declaration.ts";
import { planProgram, programOf, type PlannedRun, type PlanWorld } from "./plan-program.ts";

const SHELL = "/bin/sh";
/** What the program says besides messages goes to its errors. */
const PLACE_PIPES = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >&2';

/** As long as its host. */
const CPU_SECONDS = 86_400;
/** Threads of all its processes. */
const TASKS = 2048;
/** Engines reserve far more than they use; what is used is held by `memoryMb`. */
const RESERVED_MB = 65_536;
const FILE_MB = 256;
const MB: number = 1024 * 1024;
/** The keeper, and the shell while it is one. */
const OTHER_MEMBERS = 2;

/** @throws Failure `not_found`, `unsupported` where its network cannot be held to the list */
export function planPackProgram(
  pack: string,
  programs: Readonly<Record<string, PackProgram>> = {},
  world: PlanWorld,
): PlannedRun {
  const declared = Object.hasOwn(programs, pack) ? programs[pack] : undefined;
  if (!declared) throw new Failure("not_found", `Cannot start a program for "${pack.slice(0, 60)}": the pack has none`);
  const { reach, memoryMb, processes } = declared;
  const program = programOf(declared, world);
  const planned = planProgram(
    {
      name: pack,
      declaration: {
        description: "",
        program,
        network: { reach },
        cpu_seconds: CPU_SECONDS,
        memory_mb: RESERVED_MB,
        processes: TASKS,
        file_mb: FILE_MB,
        changes: false,
      },
      args: [],
      program,
      roots: [],
      hasProxy: true,
    },
    world,
  );
  const { start, temporary } = planned;
  const proxy = start.environment["http_proxy"];
  if (proxy === undefined || start.fence?.supervised === undefined) {
    planned.end();
    throw new Failure("unsupported", `Cannot start ${program}: its list of hosts cannot be kept (${planned.fence})`, {
      hint: "It is not started without. doctor says what the kernel lacks.",
    });
  }
  const args = declared.args.map((one) => one.replaceAll("{folder}", temporary).replaceAll("{proxy}", proxy));
  return {
    ...planned,
    start: { ...start, program: SHELL, args: ["-c", PLACE_PIPES, program, ...args] },
    maxProcesses: processes + OTHER_MEMBERS,
    maxMemoryBytes: memoryMb * MB,
    messageEnd: "\0",
  };
}
