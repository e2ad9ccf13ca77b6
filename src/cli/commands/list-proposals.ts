/**
 * `ringfence proposals list`: a line for each waiting proposal, oldest first, with its age, client, directory, number of lines
 * and what it would do.
 */
import { nowMs } from "../../base/index.ts";
import type { Host } from "../../host/index.ts";
import type { ListedProposal } from "../../calls/index.ts";
import { shortenMiddle } from "../../approval/index.ts";
import { messages, printJson, printTable } from "../print.ts";

/** The widths of two columns; `--json` has everything. */
const CLIENT_CHARS = 24;
const DIRECTORY_CHARS = 40;

export function printProposals(proposals: readonly ListedProposal[], host: Host, json: boolean): void {
  if (json) printJson(proposals, 2);
  else if (proposals.length === 0) messages().info(`No proposals are waiting in ${whereabouts(host)}`);
  else
    printTable([
      ["ID", "AGE", "CLIENT", "DIRECTORY", "RISK", "LINES", "CHANGE", ""],
      ...proposals.map((one) => [
        one.id,
        formatAge(nowMs() - Date.parse(one.createdAt)),
        shortenMiddle(one.client ?? "-", CLIENT_CHARS),
        directoryOf(one),
        one.risk,
        linesOf(one),
        one.change,
        one.problem === undefined ? "" : `(cannot be applied now: ${one.problem})`,
      ]),
    ]);
}

/** Says where this command looked. A client that starts its servers with few variables makes them keep their proposals elsewhere. */
export function whereabouts({ config }: Host): string {
  return `${config.stateDir}. Those of a host with another --state-dir, XDG_STATE_HOME or HOME are elsewhere.`;
}

function directoryOf({ roots: [first = "-", ...others] }: ListedProposal): string {
  return `${shortenMiddle(first, DIRECTORY_CHARS)}${others.length > 0 ? ` +${others.length}` : ""}`;
}

/** Added and removed lines; a move, a delete and binary content have none. */
function linesOf({ added = 0, removed = 0 }: ListedProposal): string {
  return added + removed === 0 ? "" : `+${added} -${removed}`;
}

/**
 * How long something waits: `12s`, `3m`, `5h`, `2d`. Always rounded down, so that nothing is said to be older than it is.
 */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 60 * 60) return `${Math.floor(seconds / 60)}m`;
  const hours = Math.floor(seconds / (60 * 60));
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
