/**
 * What the policy of one host knows while it runs: the rules, what a person has granted, what was read, and what is left
 * of the budget.
 */
import type { Config } from "../config/index.ts";
import { checkRule, type Rule } from "../policy/index.ts";
import { Baselines } from "./baselines.ts";
import { Budget } from "./budget.ts";
import { Grants } from "./grants.ts";
import { createPlacePath, type PlacePath } from "./place-target.ts";

export class PolicyState {
  readonly rules: readonly Rule[];
  readonly grants: Grants;
  readonly baselines: Baselines;
  readonly budget: Budget;
  readonly place: PlacePath;

  constructor(config: Config) {
    this.rules = config.rules.map(checkRule);
    this.grants = new Grants(config);
    this.place = createPlacePath(config.roots);
    this.baselines = new Baselines(this.place);
    this.budget = new Budget(config.budgets);
  }
}
