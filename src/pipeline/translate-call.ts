/**
 * A call as it came, in the dialect of this host: into our names before anything looks at it, and its answer back, with
 * nothing said twice. A dialect is spoken here, where tools are listed, and where names are completed; every later step of a
 * call knows canonical names only.
 */
import type { FailureData } from "../base/index.ts";
import { wordsByPlace, type Observation } from "../calls/index.ts";
import type { Spoken } from "../dialects/index.ts";
import { FAILURE_KEY, type Outcome, type RequestContext } from "../mcp/index.ts";
import type { Request } from "../wire/index.ts";
import { OBSERVATION_KEY } from "./answer/observe.ts";
import type { Call } from "./call.ts";
import { dispatch } from "./dispatch.ts";
import { PROPOSAL_KEY } from "./proposal/waiting.ts";
import type { Services } from "./services.ts";

/** @throws as `dispatch` */
export async function speak(host: Services, call: Call): Promise<Outcome> {
  if (host.config.dialect === "ringfence") return sayOnce(await dispatch(host, call));
  await host.registry();
  const { call: ours, answer } = inOurNames(host, call);
  const roots = host.facts.within ?? host.facts.roots.map(({ path }) => path);
  const to = { roots, bytes: host.config.answerBytes };
  const sent = answer && ((outcome: Outcome) => answer(outcome, to));
  const outcome = await dispatch(host, { ...ours, sent });
  return sayOnce(sent ? sent(outcome) : outcome);
}

/**
 * Translates a call of the dialect; the tools have to be loaded. @param isPartial for a question about a call, which
 * may leave arguments out
 */
export function inOurNames(
  host: Services,
  call: Call,
  isPartial = false,
): { readonly call: Call; readonly answer?: Spoken["answer"] } {
  const unlisted = isPartial ? undefined : host.dialect?.unlisted(call.name);
  if (unlisted) return { call: { ...call, unlisted } };
  const spoken = host.dialect?.translate(call.name, call.arguments, isPartial);
  if (!spoken) return { call };
  const { name, arguments: given, problem, repaired, isDryRun, manner, answer } = spoken;
  // Whatever is decided of a dry run, it only plans.
  const meta = isDryRun ? { ...call.meta, "dev.ringfence/mode": "plan" } : call.meta;
  return { call: { ...call, name, arguments: given, problem, repaired, isDryRun, manner, meta }, answer };
}

export function sayOnce(outcome: Outcome): Outcome {
  if (outcome.meta?.[FAILURE_KEY] === undefined && outcome.meta?.[PROPOSAL_KEY] === undefined) return outcome;
  const { [FAILURE_KEY]: failure, [PROPOSAL_KEY]: proposal, ...meta } = outcome.meta ?? {};
  const seen = meta[OBSERVATION_KEY] as Observation | undefined;
  // In the words of the dialect, if there is one.
  const { message } = (failure ?? {}) as Partial<FailureData>;
  const { content } = JSON.parse(`{${outcome.members}}`) as {
    content: readonly { readonly text?: string }[];
  };
  const text = content.findLast((block) => block.text !== undefined)?.text ?? "";
  const { suggested_rules: _, ...shown } = (proposal ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...outcome,
    meta: {
      ...meta,
      ...(seen === undefined || message === undefined
        ? {}
        : { [OBSERVATION_KEY]: wordsByPlace(text, { ...seen, summary: message }) }),
      ...(failure === undefined ? {} : { [FAILURE_KEY]: wordsByPlace(text, failure) }),
      ...(proposal === undefined ? {} : { [PROPOSAL_KEY]: wordsByPlace(text, shown) }),
    },
  };
}

export function callOf(
  { id, params }: Request,
  context: RequestContext,
  what: Pick<Call, "name" | "arguments" | "job" | "tool" | "turn">,
): Call {
  const meta = params["_meta"];
  const { signal, onProgress } = context;
  const known = typeof meta === "object" && meta !== null ? (meta as Call["meta"]) : {};
  return { ...what, meta: known, signal, request: id, context, onProgress };
}
