/**
 * "Always" on the page: the sheet of a rule is made here, with what the rule would have allowed, and only a sheet that was shown
 * as it stands is granted. The page and its server can edit the text of a rule, and decide nothing about what it is.
 */
import { Failure } from "../../../base/index.ts";
import type { Host } from "../../../host/index.ts";
import type { PageAnswers, PageAsks } from "../../../page/index.ts";
import {
  grantedInWords,
  lifetimesOf,
  openRuleSheet,
  ruleSheetLines,
  withRule,
  type RuleSheet,
} from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import type { ReviewDesk } from "../review-desk.ts";

/** Sheets that can be granted: a person edits one at a time. */
const MAX_SHOWN = 8;

export interface PageRules {
  show(ask: PageAsks["rule"]): Promise<PageAnswers["rule"]>;
  grant(ask: PageAsks["grant"]): Promise<PageAnswers["grant"]>;
}

export function createPageRules(host: Host, desk: ReviewDesk): PageRules {
  const shown = new Map<string, RuleSheet>();
  return {
    async show({ id, rule, lifetime }) {
      const listed = (await desk.list()).find((one) => one.id === id);
      const first = listed && openRuleSheet(listed);
      if (!first)
        throw new Failure("unsupported", "No rule settles this question: it is asked about each time.", {
          hint: "Decide about the call itself.",
          retry: "never",
        });
      const lifetimes = lifetimesOf(first);
      const of = lifetimes.find((one) => one.lifetime === lifetime)?.lifetime ?? first.lifetime;
      const named = rule === undefined ? first : withRule(first, rule.trim());
      const sheet = await covered({ ...named, lifetime: of }, desk);
      const isUsable = sheet.coverage !== undefined && sheet.problem === undefined;
      if (isUsable) shown.set(keyOf({ id, rule: sheet.rule, lifetime: of }), sheet);
      for (const oldest of [...shown.keys()].slice(0, -MAX_SHOWN)) shown.delete(oldest);
      return {
        rule: sheet.rule,
        candidates: sheet.candidates,
        lifetime: of,
        lifetimes,
        lines: ruleSheetLines(sheet).map((line) => escapeLine(line)),
        isUsable,
      };
    },
    async grant(ask) {
      const sheet = shown.get(keyOf(ask));
      if (!sheet)
        throw new Failure("conflict", "Cannot grant the rule: its sheet was not shown as it stands", {
          hint: "Look it up again.",
        });
      shown.clear();
      host.audit.record("reviewed", { by: "page", proposal: ask.id, decision: "always", rule: ask.rule });
      return { said: escapeLine(grantedInWords(sheet, await desk.grant(sheet))) };
    },
  };
}

function keyOf({ id, rule, lifetime }: PageAsks["grant"]): string {
  return JSON.stringify([id, rule, lifetime]);
}

/** A rule that cannot be read is told on its sheet. */
async function covered(sheet: RuleSheet, desk: ReviewDesk): Promise<RuleSheet> {
  try {
    return { ...sheet, coverage: await desk.cover(sheet) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ...sheet, problem: thrown.message };
  }
}
