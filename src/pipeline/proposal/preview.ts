/**
 * What waits for a decision: listed, shown, named. What a stored call would carry out is made anew by the host that has its
 * tool, whenever the call is proposed, shown and applied. What is applied is what has the digest that was named, and by an id
 * alone only what this very process has proposed; anybody else has to have looked.
 */
import { MAX_PAGE_BYTES, labelOf, parseLabel, type CallFacts } from "../../approval/index.ts";
import type { ComparedFile, ListedProposal, ProposalImage, ProposalWithFiles } from "../../calls/index.ts";
import { Failure } from "../../base/index.ts";
import { restoreArguments, type RunRequest, type Tool } from "../../contract/index.ts";
import type { DiffInput, StoredCall, TextInput } from "../../jobs/index.ts";
import { EFFECTS } from "../../policy/index.ts";
import { shellLine } from "../../text/index.ts";
import type { Caller } from "../call.ts";
import { keptGlobs } from "../execute/keep-files.ts";
import { launcherOf } from "../launcher-of.ts";
import { asMethod, changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";

/** @throws Failure for what could not be carried out either */
export async function factsOfCall(host: Services, tool: Tool, input: unknown): Promise<CallFacts> {
  const { owner, effect } = tool;
  if (owner) return { kind: "remote", owner: owner.name, name: owner.tool };
  if (EFFECTS[effect].startsPrograms) return await factsOfRun(host, tool, input);
  return EFFECTS[effect].isOpenWorld ? { kind: "own", sends: true } : { kind: "own" };
}

async function factsOfRun(host: Services, tool: Tool, input: unknown): Promise<CallFacts> {
  const { request, risk, isBackground } = tool.starts?.(input as never) ?? {};
  if (!request) return { kind: "run", name: tool.name };
  const described = await launcherOf(host)("describe", { ...request, ...host.narrowed });
  return {
    kind: "run",
    name: nameOf(request),
    start: { ...described, kept: keptGlobs(host, request) },
    ...(risk === undefined ? {} : { risk }),
    ...(isBackground ? { background: true } : {}),
  };
}

function nameOf(request: RunRequest): string {
  if (request.kind === "program") return shellLine([request.program, ...request.args]);
  return request.kind === "shell" ? request.command : request.name;
}

export interface WaitingProposal {
  readonly details: ProposalWithFiles;
  /** What the call that made it was answered with, in JSON text. */
  readonly members: string;
}

export interface ProposalWanted {
  /** What else its answer says. */
  readonly note?: string | undefined;
  readonly page?: number | undefined;
  readonly page_bytes?: number | undefined;
  readonly whole_diffs?: boolean | undefined;
}

/** @param wanted `check`: also the lines and the problem of each, which looks at its files; `ids`: only these */
export async function listProposals(
  host: Services,
  wanted: { readonly check?: boolean | undefined; readonly ids?: readonly string[] | undefined },
  caller: Caller,
): Promise<readonly ListedProposal[]> {
  const input = { known: host.proposed.all(), ...wanted };
  return await changeJob(host, "list", input, asMethod(caller));
}

/** @param given `ID` or `ID@DIGEST`. @throws Failure for an id that is unknown or has ended, and for another digest */
export async function getProposal(
  host: Services,
  caller: Caller,
  given: string,
  { note, page, page_bytes, whole_diffs }: ProposalWanted = {},
): Promise<WaitingProposal> {
  const { id } = parseLabel(given);
  const facts = await factsToShow(host, id, caller);
  const input = { id: given, note, page, page_bytes, whole_diffs, facts, known: host.proposed.get(id) };
  const { text, facts: details } = await changeJob(host, "get", input, asMethod(caller));
  if (!details) throw new Error("a proposal without details");
  return { details, members: text };
}

/** Gives the whole diff of one of its files, in parts. @throws Failure as `getProposal`; `invalid_input` for no such file */
export async function diffOfProposal(
  host: Services,
  ask: DiffInput,
  caller: Caller,
): Promise<{ readonly diff: string; readonly next?: number }> {
  return await changeJob(host, "diff", ask, asMethod(caller));
}

/** Gives the files of a proposal that have changed since it was made, each as three diffs. */
export async function compareProposal(host: Services, id: string, caller: Caller): Promise<readonly ComparedFile[]> {
  return await changeJob(host, "compare", { id }, asMethod(caller));
}

/** Gives the text of a file as it would be written. @throws Failure `unsupported` for what is no text */
export async function textOfProposal(
  host: Services,
  ask: TextInput,
  caller: Caller,
): Promise<{ readonly text: string }> {
  return await changeJob(host, "text_of", ask, asMethod(caller));
}

/** Gives the images that a proposal makes, replaces or removes. @throws Failure `conflict` for another digest */
export async function imagesOfProposal(host: Services, id: string, caller: Caller): Promise<readonly ProposalImage[]> {
  return await changeJob(host, "images", { id }, asMethod(caller));
}

export interface NamedApproval {
  readonly id: string;
  readonly digest: string;
}

/**
 * Which proposal is meant, and as what it was shown.
 * @throws Failure `needs_approval` with all that there is to see, for an id alone of a proposal that another process has made
 */
export async function namedApproval(host: Services, given: string, caller: Caller): Promise<NamedApproval> {
  const { id, digest = host.proposed.get(id)?.view.digest } = parseLabel(given);
  if (digest !== undefined) return { id, digest };
  const { details } = await getProposal(host, caller, id, { page_bytes: MAX_PAGE_BYTES });
  const label = labelOf(details);
  const rest = details.pages > 1 ? ` It has ${details.pages} pages.` : "";
  throw new Failure(
    "needs_approval",
    `Cannot apply the proposal "${id}" by its id alone: this process does not know what was shown of it`,
    {
      hint: `Look at it, and name it as ${label} to apply what you have seen.${rest}\n${details.text.trimEnd()}`,
      details: { label, text: details.text, page: details.page, pages: details.pages },
    },
  );
}

/** `undefined` for a change. @throws Failure for a call that cannot be carried out */
export async function factsToApply(host: Services, id: string, caller: Caller): Promise<CallFacts | undefined> {
  const stored = await findCall(host, id, caller);
  return stored ? ((await freshFacts(host, stored)) ?? stored.facts) : undefined;
}

/** What cannot be carried out can be looked at all the same. */
async function factsToShow(host: Services, id: string, caller: Caller): Promise<CallFacts | undefined> {
  const stored = await findCall(host, id, caller);
  if (!stored) return undefined;
  try {
    return await freshFacts(host, stored);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

async function findCall(host: Services, id: string, caller: Caller): Promise<StoredCall | null> {
  return await changeJob(host, "find_call", { id }, asMethod(caller));
}

/** `undefined` where the tool is not here. */
async function freshFacts(host: Services, { tool: name, input }: StoredCall): Promise<CallFacts | undefined> {
  const tool = (await host.registry()).get(name);
  return tool && (await factsOfCall(host, tool, restoreArguments(tool, input)));
}
