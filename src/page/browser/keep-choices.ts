/**
 * What was chosen goes to the disk after every key: one at a time, so that an earlier one never comes after a later one, and
 * of those that wait only the last of each proposal.
 */
import type { ReviewChoices } from "../../review/index.ts";
import { ask } from "./ask-server.ts";

export function createKeeper(onFailure: (thrown: unknown) => void): (choices: ReviewChoices) => void {
  const waiting = new Map<string, ReviewChoices>();
  let isKeeping = false;
  const keepAll = async (): Promise<void> => {
    isKeeping = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [label, choices] = next;
      waiting.delete(label);
      await ask("keep", { choices }).catch(onFailure);
    }
    isKeeping = false;
  };
  return (choices) => {
    waiting.set(choices.label, choices);
    if (!isKeeping) void keepAll();
  };
}
