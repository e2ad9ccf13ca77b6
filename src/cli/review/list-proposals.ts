/**
 * The proposals that wait, as rows of a terminal.
 */
import { shortenMiddle } from "../../approval/index.ts";
import { nowMs } from "../../base/index.ts";
import type { Host } from "../../host/index.ts";
import type { ListedProposal } from "../../calls/index.ts";
import { askHost } from "../open-host.ts";
import { printRows, shownAge } from "../print.ts";
import { formatAge } from "./format-age.ts";

/** The widths of two columns; `--json` has everything. */
const CLIENT_CHARS = 24;
const DIRECTORY_CHARS = 40;

export async function printWaiting(
  host: Host,
  { json, isWide }: { readonly json: boolean; readonly isWide: boolean },
): Promise<void> {
  printRows(await waiting(host, { check: true }), {
    json,
    isWide,
    none: `No proposals are waiting in ${whereabouts(host)}`,
    heads: ["ID", "AGE", "CLIENT", "DIRECTORY", "RISK", "LINES", "CHANGE", ""],
    rowOf: (one) => [
      one.id,
      ageOf(one),
      shortenMiddle(one.client ?? "-", CLIENT_CHARS),
      directoryOf(one),
      one.risk,
      linesOf(one),
      one.change,
      one.problem === undefined ? "" : `(cannot be applied now: ${one.problem})`,
    ],
  });
}

/** Gives what waits, oldest first. */
export async function waiting(host: Host, params: { readonly check?: true }): Promise<readonly ListedProposal[]> {
  return (await askHost(host, "ringfence/proposals/list", params)).proposals;
}

/**
 * Says where this command looked. A client that starts its servers with few variables makes them keep their proposals
 * elsewhere.
 */
export function whereabouts({ config }: Host): string {
  return `${config.stateDir}. Those of a host with another --state-dir, XDG_STATE_HOME or HOME are elsewhere.`;
}

function directoryOf({ roots: [first = "-", ...others] }: ListedProposal): string {
  return `${shortenMiddle(first, DIRECTORY_CHARS)}${others.length > 0 ? ` +${others.length}` : ""}`;
}

/** At a terminal in words; scripts keep the short form. */
function ageOf({ createdAt }: ListedProposal): string {
  const said = shownAge(createdAt);
  return said === createdAt ? formatAge(nowMs() - Date.parse(createdAt)) : said;
}

/** Added and removed lines; a move, a delete and binary content have none. */
function linesOf({ added = 0, removed = 0 }: ListedProposal): string {
  return added + removed === 0 ? "" : `+${added} -${removed}`;
}
