/**
 * What the decision means for a call: what is denied ends here. A change, a program or a tool of somebody else that is
 * asked about goes on and becomes a proposal; anything else needs a person before it is made at all, who is asked where
 * the client can, and otherwise the failure says what would settle it.
 */
import { callInLine } from "../../approval/index.ts";
import { Failure } from "../../base/index.ts";
import {
  describeRule,
  EFFECTS,
  exactText,
  settlingRules,
  withoutSuggestion,
  type RuleWords,
} from "../../policy/index.ts";
import { escapeLine, truncateUtf8 } from "../../text/index.ts";
import type { PlaceInOrder } from "../../session/index.ts";
import type { Work } from "../call.ts";
import {
  DECLINED,
  REJECT,
  WAIT,
  askForm,
  canAsk,
  readForm,
  rejected,
  rememberChoice,
  type PersonForm,
} from "../form.ts";
import { grantCommand, grantOnRecord } from "../grant.ts";
import { changeJob } from "../jobs.ts";
import { takeApproved } from "../proposal/apply.ts";
import { proposeCall } from "../proposal/propose.ts";
import { askReviewer, isReviewed, wordsOf } from "../proposal/review.ts";
import { proposalIn } from "../proposal/waiting.ts";
import type { Services } from "../services.ts";
import { deniedCall } from "./denied-call.ts";

/** What a dialog can show of them; with more of them nobody can allow the call in one. */
const MAX_ARGUMENTS_BYTES: number = 64 * 1024;
const REMEMBER = "allow_and_remember";

/** @throws Failure `denied`, `needs_approval`; InputRequired in the modern era */
export async function permit(host: Services, work: Work, turn: PlaceInOrder): Promise<Work> {
  const { call, decision } = work;
  if (decision.type === "deny") throw deniedCall(host, work);
  const asked = work.tool.asked ?? EFFECTS[work.facts.effect].asked;
  // A change is applied by any process, and a call by this one alone.
  const isTooLate = call.isLast === true && !work.tool.plan;
  const becomesProposal = (asked !== "permission" || work.tool.owner !== undefined) && !isTooLate;
  if (decision.type === "allow" || becomesProposal) return work;
  if (isOnlyPlanned(work)) throw needsApproval(host, work);
  const isReviewing = await isReviewed(host);
  if (!isReviewing && !canAsk(host, call)) throw needsApproval(host, work);
  // Nobody waits for this call while a person thinks.
  turn.stepAside();
  return isReviewing ? await askReviewerFirst(host, work) : await askPermission(host, work);
}

/** The call stands among the proposals while a reviewer decides about it, and goes on from here when it is approved. */
async function askReviewerFirst(host: Services, work: Work): Promise<Work> {
  const proposal = proposalIn(await proposeCall(host, work));
  if (!proposal) throw new Error("a call was proposed without a proposal");
  const { id } = proposal;
  return await askReviewer(host, work, id, async (decided) => {
    if (decided && "approved" in decided) {
      await takeApproved(host, decided.approved.label, work.call);
      return allowed(work);
    }
    if (decided) throw rejected(`Cannot call "${work.call.name}"`, decided.ending.reason, wordsOf(decided.ending));
    await changeJob(host, "withdraw", { id });
    throw needsApproval(host, work, "The person who reviews has not decided in time. ");
  });
}

/** Nothing but reading happens in the mode `plan`, whoever wants it. */
function isOnlyPlanned({ mode, facts }: Work): boolean {
  return mode === "plan" && !EFFECTS[facts.effect].onlyReads;
}

async function askPermission(host: Services, work: Work): Promise<Work> {
  const { decision } = work;
  const rules = settlingRules([decision]);
  const form = permissionForm(
    work,
    rules.map((rule) => describeRule(rule, rootsOf(host))),
  );
  const about = { tool: work.facts.name, reason: decision.reason };
  const read = (answer: unknown): ReturnType<typeof readForm> => readForm(answer, form);
  const said = await askForm(host, work, { form, about, state: {}, read });
  switch (said.action) {
    case "wait":
      throw needsApproval(host, work);
    case "decline":
      throw needsApproval(host, work, `${DECLINED}. `);
    case "reject":
      throw rejected(`Cannot call "${work.call.name}"`, said.reason);
    case "accept": {
      if (said.decision === WAIT[0]) throw needsApproval(host, work);
      if (said.decision === REMEMBER) for (const rule of rules) grantOnRecord(host, rule, { remember: false });
      return allowed(work);
    }
  }
}

/** The call as a person has allowed it: this one, and no other. */
function allowed(work: Work): Work {
  const { decision, asked } = work;
  const rest = withoutSuggestion(decision);
  const now = { ...rest, type: "allow" as const, reason: "a person allowed it", source: "person" };
  // Also where it is too long to be suggested.
  const granted = asked ? [exactText({ tool: asked.tool, call: { risk: decision.risk, acts: asked.acts } })] : [];
  return { ...work, decision: now, granted };
}

function rootsOf({ config }: Services): readonly string[] {
  return config.roots.map(({ path }) => path);
}

/** @param rules as a person reads them */
function permissionForm({ facts, input, decision }: Work, rules: readonly RuleWords[]): PersonForm {
  const { text, truncated } = truncateUtf8(JSON.stringify(input, null, 2), MAX_ARGUMENTS_BYTES);
  const because = `It is asked because ${decision.reason} (${decision.source}: ${decision.rule}).`;
  const message = `Call ${callInLine(facts.name, input)}\n${escapeLine(because)}\n${text}`;
  if (truncated)
    return {
      message: `A form cannot show all of this call, so it cannot be allowed here.\n${message}`,
      choices: [WAIT, REJECT],
    };
  return {
    message,
    choices: [["allow", "Allow this call"], ...rememberChoice(REMEMBER, rules), REJECT],
  };
}

/** @param said what became of the question, as a sentence with a space behind it */
function needsApproval(host: Services, { call, decision }: Work, said = ""): Failure {
  const { suggested_rule: rule } = decision;
  return new Failure("needs_approval", `Cannot call "${call.name}" yet: ${decision.reason}`, {
    hint: `${said}${rule === undefined ? BY_CONFIGURATION : `${whoAllows(host, rule)}; then make the same call again.`}`,
    details: {
      decision,
      ...(rule === undefined ? {} : { method: "ringfence/grants/add", params: { rule } }),
    },
  });
}

const BY_CONFIGURATION = "The person who runs this host has to allow it in its configuration.";

function whoAllows(host: Services, rule: string): string {
  return host.config.ask === "client"
    ? "The program that runs this host can allow it (ringfence/grants/add)"
    : `A person can allow it with \`${grantCommand(host.config, rule)}\``;
}
