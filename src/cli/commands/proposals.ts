/**
 * `ringfence proposals`: what waits for a person, and the person's answer, also from another terminal.
 */
import { labelOf, parseLabel } from "../../approval/index.ts";
import { Failure } from "../../base/index.ts";
import type { Host } from "../../host/index.ts";
import type { AppliedProposal, ListedProposal, ProposalWithFiles } from "../../calls/index.ts";
import { terminalCommand } from "../../text/index.ts";
import {
  actionOf,
  configFlags,
  EXIT,
  LIST_FLAGS,
  STATE_FLAG,
  UsageError,
  type CliCommand,
  type ExitCode,
  type TypedArguments,
} from "../command.ts";
import { askHost, openRootlessHost, wholeId } from "../open-host.ts";
import { printWaiting, waiting, whereabouts } from "../review/list-proposals.ts";
import {
  askYes,
  isAtTerminal,
  messages,
  print,
  printDiff,
  printDiffs,
  printJson,
  printText,
  shownAge,
  tryEach,
  withProgress,
} from "../print.ts";

export const proposalsCommand: CliCommand = {
  about: "List, show, apply or reject changes that wait for approval.",
  takes: "[list | show ID ... | apply ID@DIGEST ... | reject ID ...]",
  most: Infinity,
  flags: {
    ...STATE_FLAG,
    ...LIST_FLAGS,
    last: { about: "With show, apply and reject: the newest, in the place of an ID." },
    full: { about: "With show: all pages." },
    page: { about: "With show: another page than the first.", value: "N" },
    reason: { about: "With reject: why; the model sees it.", value: "TEXT" },
    file: {
      about: "With apply: only this file of the proposal; the others are dropped. Repeatable.",
      value: "PATH",
    },
    hunk: {
      about: "With apply: of a file only these hunks, as a.ts:1,3; the others are dropped. Repeatable.",
      value: "PATH:N,N",
    },
  },
  examples: [
    "ringfence proposals list",
    "ringfence proposals show p_...",
    "ringfence proposals apply p_...@...",
    "ringfence proposals apply p_6Dk    # at a terminal: shows it, and asks; a part of an id is enough",
    "ringfence proposals apply --last   # the newest, in the same way",
    "ringfence proposals reject p_... --reason 'wrong file'",
  ],
  async run(typed) {
    const [action = "list", ...ids] = typed.positionals;
    const run = actionOf("proposals", ACTIONS, action);
    const isLast = typed.has("last");
    if (action === "list" && (ids.length > 0 || isLast)) throw new UsageError("proposals list takes no ids");
    if (action !== "list" && (ids.length === 0) !== isLast)
      throw new UsageError(
        isLast
          ? "give the ID of a proposal or --last, not both"
          : `name the proposal: ringfence proposals ${action} ${action === "apply" ? "ID@DIGEST" : "ID"}, or --last`,
      );
    using host = await openRootlessHost(configFlags(typed));
    return await run({
      host,
      ids: isLast ? [LAST] : ids,
      json: typed.has("json"),
      isWide: typed.has("wide"),
      reason: typed.one("reason"),
      parts: partsOf(typed),
      pages: typed.has("full") ? "all" : pageOf(typed),
    });
  },
};

/** Stands for the id of the newest proposal. */
const LAST: unique symbol = Symbol("last");

interface Request {
  readonly host: Host;
  readonly ids: readonly (string | typeof LAST)[];
  readonly json: boolean;
  readonly isWide: boolean;
  readonly reason: string | undefined;
  /** The page that `show` prints, or all. */
  readonly pages: number | "all";
  /** The files and hunks that are applied, in the form of `ringfence/proposals/apply`. */
  readonly parts: { readonly files?: readonly string[]; readonly hunks?: Readonly<Record<string, number[]>> };
}

function pageOf(typed: TypedArguments): number {
  const text = typed.one("page") ?? "1";
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--page takes a number from 1 on, not ${JSON.stringify(text)}`);
}

function partsOf(typed: TypedArguments): Request["parts"] {
  const files = typed.all("file");
  const hunks = new Map<string, number[]>();
  for (const text of typed.all("hunk")) {
    const [, path, numbers] = /^(.+):(\d+(?:,\d+)*)$/.exec(text) ?? [];
    if (path === undefined || numbers === undefined)
      throw new UsageError(`--hunk takes a path and numbers, as a.ts:1,3, not ${JSON.stringify(text)}`);
    hunks.set(path, [...(hunks.get(path) ?? []), ...numbers.split(",").map(Number)]);
  }
  return {
    ...(files.length > 0 ? { files } : {}),
    ...(hunks.size > 0 ? { hunks: Object.fromEntries(hunks) } : {}),
  };
}

const ACTIONS: Readonly<Record<string, (request: Request) => Promise<ExitCode>>> = { list, show, apply, reject };

async function list({ host, ...how }: Request): Promise<ExitCode> {
  await printWaiting(host, how);
  return EXIT.ok;
}

async function show({ host, ids, json, pages }: Request): Promise<ExitCode> {
  return await forEachId(host, ids, async (id) => {
    const details = pages === "all" ? await getWhole(host, id) : await getPage(host, id, pages);
    if (json) printJson(details, 2);
    else showWhole(details);
    if (pages === "all" || details.pages <= 1) return;
    const more = (...flags: string[]): string =>
      `\`${terminalCommand(["proposals", "show", details.id, ...flags], host.config.stateDir)}\``;
    const another = pages < details.pages ? pages + 1 : 1;
    messages().info(
      `Page ${pages} of ${details.pages}: ${more("--page", String(another))} shows page ${another}, ${more("--full")} all.`,
    );
  });
}

/** Everything that an approval does; at a terminal with what its times mean here and now. */
function showWhole({ text, createdAt, expiresAt }: ProposalWithFiles): void {
  printDiffs(text);
  const [made, end] = [createdAt, expiresAt].map(shownAge);
  if (made !== createdAt) print(`made ${made}, expires ${end}`);
}

async function getPage(host: Host, id: string, page: number, page_bytes?: number): Promise<ProposalWithFiles> {
  return await askHost(host, "ringfence/proposals/get", { id, page, page_bytes });
}

/** The size of the pages in which a whole proposal is fetched. */
const LARGE_PAGE_BYTES: number = 4 * 1024 * 1024;

async function getWhole(host: Host, id: string): Promise<ProposalWithFiles> {
  const first = await getPage(host, id, 1, LARGE_PAGE_BYTES);
  const texts = [first.text];
  for (let page = 2; page <= first.pages; page++)
    texts.push((await getPage(host, labelOf(first), page, LARGE_PAGE_BYTES)).text);
  return { ...first, text: texts.join(""), pages: 1 };
}

async function apply({ host, ids, json, parts }: Request): Promise<ExitCode> {
  return await forEachId(host, ids, async (id) => {
    const seen = await lookedAt(host, id, parts);
    if (seen === undefined) return EXIT.failed;
    const call = await waitingCall(host, seen);
    if (call) {
      await approveCall(host, seen, { json, call });
      return EXIT.ok;
    }
    const applied = (await withProgress(
      async (report) => await askHost(host, "ringfence/proposals/apply", { id: seen, ...parts }, report),
    )) as AppliedProposal;
    const { summary, transaction, left_out: leftOut = [] } = applied;
    if (json) printJson(applied);
    else printText(`Applied: ${summary} (transaction ${transaction})`);
    for (const { path, hunks } of json ? [] : leftOut)
      printText(`Left out: ${path}${hunks ? `, hunk ${hunks.join(", ")}` : ""}`);
    if (!json && leftOut.length > 0) print("What was left out does not wait any more: it has to be proposed again.");
    return EXIT.ok;
  });
}

/** What is no change; `undefined` for a change, and for what does not wait any more, which applying it says. */
async function waitingCall(host: Host, label: string): Promise<ListedProposal | undefined> {
  const { id } = parseLabel(label);
  const [listed] = (await askHost(host, "ringfence/proposals/list", { ids: [id] })).proposals;
  return listed?.call === true ? listed : undefined;
}

/** A call is made by the host that proposed it, which has its tool. @throws Failure `conflict` when that has ended */
async function approveCall(
  host: Host,
  label: string,
  { json, call }: { readonly json: boolean; readonly call: ListedProposal },
): Promise<void> {
  const approved = await askHost(host, "ringfence/proposals/approve", { id: label });
  if (json) printJson(approved);
  else
    printText(
      `Approved: ${call.summary}. The host that proposed it makes the call now; the agent learns of it by await_review.`,
    );
}

/**
 * Names what was shown: by the digest that was given, or by showing it at the terminal now.
 * @throws Failure `needs_approval` with what `show` would print, where there is neither
 */
async function lookedAt(host: Host, given: string, parts: object): Promise<string | undefined> {
  if (parseLabel(given).digest !== undefined) return given;
  if (!isAtTerminal()) throw await unseen(host, given);
  const details = await getWhole(host, given);
  showWhole(details);
  const question =
    Object.keys(parts).length === 0
      ? "Apply this?"
      : `Apply only ${JSON.stringify(parts)} of it? The rest of this proposal is dropped.`;
  if (await askYes(question)) return labelOf(details);
  messages().info(`Nothing was applied; ${details.id} still waits.`);
  return undefined;
}

async function unseen(host: Host, given: string): Promise<Failure> {
  const { text, pages, ...details } = await getPage(host, given, 1);
  const { id } = details;
  const command = terminalCommand(["proposals", "apply", labelOf(details)], host.config.stateDir);
  const shown = pages > 1 ? `Below is page 1 of ${pages} of what it does; to apply all of it` : SHOWN;
  return new Failure("needs_approval", `Cannot apply the proposal "${id}" by its id alone: ${NO_TERMINAL}`, {
    hint: `${shown}: ${command}\n${text.trimEnd()}`,
  });
}

const NO_TERMINAL = "there is no terminal to show it at first";
const SHOWN = "Below is what it does; to apply exactly that";

async function reject({ host, ids, json, reason }: Request): Promise<ExitCode> {
  return await forEachId(host, ids, async (id) => {
    const rejected = await askHost(host, "ringfence/proposals/reject", { id, reason });
    if (json) printJson(rejected);
    else printText(`Rejected: ${rejected.summary}`);
  });
}

type Work = (id: string) => Promise<ExitCode | void>;

async function forEachId(host: Host, ids: Request["ids"], work: Work): Promise<ExitCode> {
  const tell = (failure: Failure): void => {
    if (failure.code === "not_found") messages().info(`This looked in ${whereabouts(host)}`);
    printDiff(failure, "What it would change now:");
  };
  return await tryEach(ids, async (id) => await work(await wholeLabel(host, id)), tell);
}

/**
 * Completes the id and keeps the digest that was given. No digest is added: the beginning of an id does not prove that
 * anybody looked.
 */
async function wholeLabel(host: Host, given: string | typeof LAST): Promise<string> {
  if (given === LAST) return await lastId(host);
  const { id: begun, digest } = parseLabel(given);
  const id = await wholeId(begun, async () =>
    (await waiting(host, {})).map(({ id: known, change }) => ({ id: known, what: change })),
  );
  return digest === undefined ? id : labelOf({ id, digest });
}

/** @throws Failure `not_found` when none waits */
async function lastId(host: Host): Promise<string> {
  const last = (await waiting(host, {})).at(-1);
  if (last) return last.id;
  throw new Failure("not_found", "Cannot find the last proposal: no proposals are waiting", { hint: "" });
}
