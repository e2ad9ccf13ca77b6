/**
 * What was chosen goes to the disk after every key: one at a time, so that an earlier one never comes after a later one, and
 * of those that wait only the last of each proposal. What could not be kept waits on, and is tried again with the next that
 * is given, or before something is decided by what is on the disk.
 */
import type { ReviewChoices } from "../../review/index.ts";
import { ask } from "./ask-server.ts";

export interface Keeper {
  keep(choices: ReviewChoices): void;
  /** Tries once more what is not on the disk. @returns whether all that was given is there now */
  settled(): Promise<boolean>;
  /** Whether something of the proposal with this id is not on the disk. */
  isWaiting(id: string): boolean;
  /** Gives what is not on the disk of what was chosen of this very proposal. */
  unkept(label: string): ReviewChoices | undefined;
  /** Forgets what was chosen of proposals that are over. @param isOver by the id */
  forget(isOver: (id: string) => boolean): void;
}

export function createKeeper(onFailure: (thrown: unknown) => void): Keeper {
  /** By the id: a proposal that was written anew has no use for what was chosen of it before. */
  const waiting = new Map<string, ReviewChoices>();
  let keeping: Promise<void> | undefined;
  const keepAll = async (): Promise<void> => {
    const tried = new Set<ReviewChoices>();
    const next = (): ReviewChoices | undefined => [...waiting.values()].find((one) => !tried.has(one));
    for (let choices = next(); choices; choices = next()) {
      tried.add(choices);
      try {
        await ask("keep", { choices });
        const id = idOf(choices.label);
        if (waiting.get(id) === choices) waiting.delete(id);
      } catch (thrown) {
        onFailure(thrown);
      }
    }
    keeping = undefined;
  };
  return {
    keep(choices) {
      waiting.set(idOf(choices.label), choices);
      keeping ??= keepAll();
    },
    async settled() {
      await keeping;
      if (waiting.size > 0) await (keeping ??= keepAll());
      return waiting.size === 0;
    },
    isWaiting: (id) => waiting.has(id),
    unkept(label) {
      const choices = waiting.get(idOf(label));
      return choices?.label === label ? choices : undefined;
    },
    forget(isOver) {
      for (const id of waiting.keys()) if (isOver(id)) waiting.delete(id);
    },
  };
}

/** A label is the id of a proposal and the digest of what it does. */
export function idOf(label: string): string {
  return label.slice(0, label.indexOf("@"));
}
