/**
 * What was chosen goes to the disk after every key: one at a time, so that an earlier one never comes after a later one, and
 * of those that wait only the last of each proposal.
 */
import type { ReviewChoices } from "../../review/index.ts";
import { ask } from "./ask-server.ts";

export interface Keeper {
  keep(choices: ReviewChoices): void;
  /** Ends when all that was given is on the disk. */
  settled(): Promise<void>;
}

export function createKeeper(onFailure: (thrown: unknown) => void): Keeper {
  const waiting = new Map<string, ReviewChoices>();
  let keeping: Promise<void> | undefined;
  const keepAll = async (): Promise<void> => {
    for (let [next] = waiting; next; [next] = waiting) {
      const [label, choices] = next;
      waiting.delete(label);
      await ask("keep", { choices }).catch(onFailure);
    }
    keeping = undefined;
  };
  return {
    keep(choices) {
      waiting.set(choices.label, choices);
      keeping ??= keepAll();
    },
    settled: async () => await keeping,
  };
}
