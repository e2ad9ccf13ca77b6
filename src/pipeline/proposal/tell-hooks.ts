/**
 * Programs of the configuration that are told of a proposal (`"on": "proposal"`), in the fence of every hook. No call waits for them
 * and they decide nothing: they get no digest, without which nothing is approved from elsewhere.
 *
 * One telling of a hook runs at a time and a few wait; of a flood the rest is counted, and the next telling says how many.
 */
import type { PendingProposal } from "../../calls/index.ts";
import type { HookText } from "../../config/index.ts";
import type { Work } from "../call.ts";
import { hooksOf, keepTelling, logFailed, runProgram } from "../decide/hooks.ts";
import { clientName } from "../record.ts";
import type { Services } from "../services.ts";

/** Tellings of one hook that wait for the one that runs. */
const MAX_WAITING = 20;

interface Line {
  readonly waiting: object[];
  isRunning: boolean;
  missed: number;
}

const lines = new WeakMap<HookText, Line>();

export function tellProposalHooks(host: Services, { call, facts, parts = [] }: Work, proposal: PendingProposal): void {
  for (const hook of hooksOf(host, [facts, ...parts])) {
    if (hook.on !== "proposal") continue;
    const line = lines.get(hook) ?? { waiting: [], isRunning: false, missed: 0 };
    lines.set(hook, line);
    if (line.waiting.length >= MAX_WAITING) line.missed++;
    else line.waiting.push(about(proposal, clientName(call)));
    if (!line.isRunning) keepTelling(host, hook, tellAll(host, hook, line));
  }
}

async function tellAll(host: Services, hook: HookText, line: Line): Promise<void> {
  line.isRunning = true;
  for (let next = line.waiting.shift(); next; next = line.waiting.shift()) {
    const told = line.missed > 0 ? { ...next, missed: line.missed } : next;
    line.missed = 0;
    await runProgram(host, hook, "run", told).catch((thrown: unknown) => logFailed(hook, thrown));
  }
  line.isRunning = false;
}

/** As much of a list as a notice can use. */
const MAX_PATHS = 100;

function about({ id, tool, summary, paths, risk, expiresAt }: PendingProposal, client: string | undefined): object {
  const left = paths.length - MAX_PATHS;
  return {
    on: "proposal",
    proposal: id,
    tool,
    summary,
    risk,
    paths: paths.slice(0, MAX_PATHS),
    ...(left > 0 ? { more_paths: left } : {}),
    ...(client === undefined ? {} : { client }),
    expires_at: expiresAt,
  };
}
