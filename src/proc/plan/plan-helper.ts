/**
 * From the name of a power to a process for its code: this program again, with no file of anybody, no program to start, and
 * a network only where the power is one that reaches it. Nothing of the caller is believed but the name.
 */
import { readFileSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { encodedFilter, HELPER_MARK, helperRules, offeredChildFence } from "../../fence/index.ts";
import type { HelperOrder, HelpersConfig } from "../launcher-protocol.ts";
import { planNetwork } from "../network/plan-network.ts";
import { describeFence, limitsOfOurs, type PlannedRun, type PlanWorld } from "./plan-program.ts";

/** A helper lives as long as it has calls; each of them has a limit of its own. */
const CPU_SECONDS = 86_400;
/** Threads of the engine. */
const TASKS = 64;
/** A helper and its keeper; without a fence nothing else keeps a helper from starting more. */
const MAX_MEMBERS = 4;
const MB: number = 1024 * 1024;
/** The beginning of a call, as the host's end of a helper writes it: the rest may be megabytes. */
const CALL = /^\{"id":\d+,"call":/;
const KEPT_VARIABLES = ["LANG", "LC_ALL", "TZ"] as const;

/** @throws Failure `not_found` for a power that no pack has, `unsupported` where its fence is required and cannot be had */
export function planHelper(
  power: string,
  helpers: HelpersConfig | undefined,
  { fence: mode, environment }: PlanWorld,
): { readonly planned: PlannedRun; readonly order?: HelperOrder } {
  const plan = helpers && Object.hasOwn(helpers.plans, power) ? helpers.plans[power] : undefined;
  if (!helpers || !plan)
    throw new Failure("not_found", `Cannot start a helper for "${power.slice(0, 60)}": there is no such power`);
  const { network, memoryMb, order } = plan;
  const { described } = planNetwork(network, power);
  const [program = "", ...args] = plan.command ?? helpers.command;
  const fence = fenceOf(power, mode, helpers.unfenced);
  const kept = KEPT_VARIABLES.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  return {
    ...(order === undefined ? {} : { order: { power, settings: order } }),
    planned: {
      start: {
        program,
        args,
        cwd: "/",
        environment: Object.fromEntries(kept) as Record<string, string>,
        mark: `${HELPER_MARK}${"abi" in fence ? network : "unfenced"}`,
        limits: limitsOfOurs({ cpu_seconds: CPU_SECONDS, memory_mb: memoryMb, processes: TASKS, file_mb: 0 }),
        ...("reason" in fence
          ? {}
          : { fence: { abi: fence.abi, rules: rulesOf(program, network), network, filter: encodedFilter(network) } }),
      },
      timeoutMs: Infinity,
      maxProcesses: MAX_MEMBERS,
      // The limit of the kernel counts what is set aside, this one what is used.
      maxMemoryBytes: memoryMb * MB,
      isCall: (text) => CALL.test(text),
      changes: false,
      cwd: "/",
      fence:
        "abi" in fence ? `${describeFence(fence, described)}, no files, no programs` : describeFence(fence, described),
      temporary: "",
      reach: {},
      end: () => undefined,
    },
  };
}

function rulesOf(program: string, network: "none" | "internet"): ReturnType<typeof helperRules> {
  return helperRules({ executable: program, maps: readFileSync("/proc/self/maps", "utf8"), network });
}

function fenceOf(
  power: string,
  mode: PlanWorld["fence"],
  unfenced: string | undefined,
): { abi: number } | { reason: string } {
  if (mode === "off") return { reason: "switched off" };
  const offered = unfenced === undefined ? offeredChildFence() : { reason: unfenced };
  if ("reason" in offered && mode === "require")
    throw new Failure(
      "unsupported",
      `Cannot start a helper for "${power}": its fence is required, and ${offered.reason}`,
      { hint: "Start the host with --fence=auto to run it without a fence of its own." },
    );
  return offered;
}
