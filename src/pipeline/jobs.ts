/**
 * The jobs that a call has workers do, typed by `jobs/job-table.ts`. A job of a tool that rules keep from some paths says
 * so, and is done in a scope without them.
 */
import { limits } from "../base/index.ts";
import type { ChangeJobs, ReadJobs, RuledInput } from "../jobs/index.ts";
import { EFFECTS, type SkillReach } from "../policy/index.ts";
import { unpackAnswer, type JobRequest } from "../pool/index.ts";
import type { Call, Caller, CallPolicy } from "./call.ts";
import type { Services } from "./services.ts";

interface JobHow extends Pick<JobRequest, "long" | "signal"> {
  /** Default: that of a short call. */
  readonly timeoutMs?: number;
  readonly onProgress?: Call["onProgress"];
}

/** @param under the rules of the policy that the job is done under; absent: the scope of the host is all that binds it */
export async function readJob<Name extends keyof ReadJobs>(
  host: Services,
  name: Name,
  input: ReadJobs[Name][0],
  { under, ...how }: JobHow & { readonly under?: CallPolicy | undefined } = {},
): Promise<ReadJobs[Name][1]> {
  const text = JSON.stringify(input);
  const job = under ? ruledJob(host, under, name, text) : { name, input: text };
  return unpackAnswer(await host.readPool.run(requestOf(job, how))) as ReadJobs[Name][1];
}

export async function changeJob<Name extends keyof ChangeJobs>(
  host: Services,
  name: Name,
  input: ChangeJobs[Name][0],
  how: JobHow = {},
): Promise<ChangeJobs[Name][1]> {
  const job = { name, input: JSON.stringify(input) };
  return unpackAnswer(await host.changePool.run(requestOf(job, how))) as ChangeJobs[Name][1];
}

/** A method of the program or of a person may take as long as any call. */
export function asMethod({ signal, onProgress }: Caller): JobHow {
  return { timeoutMs: limits.LONG_CALL_MS, signal, onProgress };
}

/** Without what is nothing to a worker: its secrets. */
export function reachOf(skill: CallPolicy["skill"]): SkillReach | undefined {
  return skill && { read: skill.read, write: skill.write };
}

type NamedJob = Pick<JobRequest, "name" | "input">;

function requestOf(
  job: NamedJob,
  { timeoutMs = limits.DEFAULT_CALL_MS, long = false, signal, onProgress }: JobHow,
): JobRequest {
  return {
    ...job,
    timeoutMs,
    long,
    signal,
    onProgress: onProgress && (({ done, total, what }) => onProgress(done, total, what)),
  };
}

function ruledJob(
  host: Services,
  { facts, mode, granted = [], skill }: CallPolicy,
  name: string,
  input: string,
): NamedJob {
  const { rules, grants } = host.policy;
  // What decides about the tools is kept from changes whether there are rules or not.
  const isRuled =
    skill !== undefined ||
    // Only their scope has the notes.
    facts.remembers === true ||
    EFFECTS[facts.effect].keepsFromPolicy ||
    rules.some((rule) => rule.verdict !== "allow" && rule.coversPathsOf(facts));
  if (!isRuled) return { name, input };
  const ruled: RuledInput = {
    ruling: {
      tool: facts,
      mode,
      grants: [...grants.rules().map(({ text }) => text), ...granted],
      reach: reachOf(skill),
    },
    input,
  };
  return { name: `ruled:${name}`, input: JSON.stringify(ruled) };
}
