/**
 * From one step of a filter to a program that can be started: its declaration, with the file that it gets and the values of the
 * call put into its arguments. The file is in its fence by handle, so a path that leads elsewhere by then leads nowhere.
 */
import { join } from "node:path";
import { Failure } from "../../base/index.ts";
import { planProgram, programOf, type PlannedRun, type PlanWorld } from "../plan/plan-program.ts";
import type { FilterDeclaration } from "./filter-protocol.ts";

/** The file of a step: how the program names it, and how the fence does. */
export interface FilterFile {
  readonly path: string;
  readonly held: string;
}

export interface FilterStep {
  readonly declaration: FilterDeclaration;
  readonly file: FilterFile;
  readonly values: Readonly<Record<string, string>>;
}

export interface PlannedFilter {
  readonly planned: PlannedRun;
  /** What the next step gets. */
  readonly out: string;
}

const TIMEOUT_MS = 120_000;
const MEMORY_MB = 4096;
const PROCESSES = 64;

/** @throws Failure `not_found` where the program is not there, `invalid_input` for a value that would be an option */
export function planFilter({ declaration, file, values }: FilterStep, world: PlanWorld): PlannedFilter {
  const { program, args, environment, reads, timeout_ms = TIMEOUT_MS, memory_mb = MEMORY_MB } = declaration;
  const planned = planProgram(
    {
      name: "filter",
      declaration: {
        description: "",
        program,
        changes: false,
        stdin: "closed",
        network: "none",
        processes: PROCESSES,
        timeout_ms,
        memory_mb,
        environment,
        reads,
      },
      args: [],
      program: programOf(declaration, world),
      roots: [],
    },
    world,
  );
  const out = join(planned.temporary, "out.wav");
  try {
    const { start } = planned;
    const { fence } = start;
    const rules = fence && [...fence.rules, { path: file.held, access: "read" as const }];
    const filled = fillArguments(args, { ...values, file: file.path, out });
    return {
      planned: {
        ...planned,
        start: { ...start, args: filled, apart: true, ...(fence && rules ? { fence: { ...fence, rules } } : {}) },
      },
      out,
    };
  } catch (thrown) {
    planned.end();
    throw thrown;
  }
}

const PLACE = /\{([a-z_]+)\}/g;

/** @throws Failure `invalid_input` */
export function fillArguments(
  args: FilterDeclaration["args"],
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return args.flatMap((group) => {
    const words = typeof group === "string" ? [group] : group;
    const names = words.flatMap((word) => [...word.matchAll(PLACE)].map(([, name = ""]) => name));
    if (!names.every((name) => Object.hasOwn(values, name))) return [];
    return words.map((word) => fill(word, values));
  });
}

function fill(word: string, values: Readonly<Record<string, string>>): string {
  return word.replaceAll(PLACE, (_place, name: string) => {
    const value = values[name] ?? "";
    if (!value.startsWith("-") && !value.includes("\0")) return value;
    throw new Failure("invalid_input", `Cannot use the value of ${name}: it would be read as an option`);
  });
}
