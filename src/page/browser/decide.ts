/**
 * What the keys and buttons that decide ask of the reviewer, and what has to be asked of the person before: whether unseen parts
 * are meant too, what a group has, what a rule would allow, what an undo does. Nothing is decided here; the reviewer does.
 */
import type { GrantLifetime } from "../../review/index.ts";
import type { PageAnswers } from "../protocol.ts";
import { ask } from "./ask-server.ts";
import { touchGuard } from "./guard.ts";
import type { Shown } from "./shown.ts";
import type { Store } from "./store.ts";

/** @param isTold the person knows that parts were never on the screen */
export async function apply(store: Store, isTold = false): Promise<void> {
  const { shown, choices } = store;
  if (!shown || store.isBusy) return;
  if (shown.problem !== undefined) return await lookAgain(store, shown);
  const count = store.unseenCount();
  if (count > 0 && !isTold) return store.ask({ kind: "unseen", count });
  await store.decide("apply", { label: shown.label, choices, unseen: isTold }, shown.id);
}

/** Looks whether the files are right again by now; to apply it takes another key, after the person has looked. */
async function lookAgain(store: Store, { id, label }: Shown): Promise<void> {
  await store.select(id);
  const now = store.shown;
  if (now?.label !== label) return;
  store.say(
    now.problem === undefined
      ? "It can be applied again: what is shown is what would be done."
      : "It cannot be applied now: what has changed stands first; n rejects it.",
  );
}

export async function reject(store: Store, reason: string): Promise<void> {
  const { shown, choices } = store;
  if (!shown || store.isBusy) return;
  await store.decide("reject", { label: shown.label, reason, comments: choices.comments }, shown.id);
}

/** What of the group of this proposal can be applied together. */
export async function offerBatch(store: Store, id: string | undefined): Promise<void> {
  if (id === undefined || store.isBusy) return;
  await store.askAfter(async () => {
    // They are applied with the choices that are on the disk.
    const isKept = await store.settled();
    const batch = isKept ? await ask<PageAnswers["batch"]>("batch", { id }) : undefined;
    if (batch && batch.taken.length > 0) return { kind: "batch", batch };
    store.say(
      isKept
        ? "Nothing of this group is ordinary and seen whole: each is decided by itself."
        : "Your choices could not be kept: nothing is applied together without them.",
    );
    return undefined;
  });
}

export async function applyBatch(store: Store, { taken }: PageAnswers["batch"]): Promise<void> {
  const labels = taken.map(({ label }) => label);
  await store.decide("together", { labels });
}

/** The sheet of a rule, as it stands or with another rule or lifetime. */
export async function openRule(
  store: Store,
  id: string | undefined,
  wanted: { readonly rule?: string; readonly lifetime?: GrantLifetime } = {},
): Promise<void> {
  if (id === undefined) return;
  await store.askAfter(async () => {
    const sheet = await ask<PageAnswers["rule"]>("rule", { id, ...wanted });
    return { kind: "rule", id, sheet };
  });
}

export async function grant(store: Store, id: string, { rule, lifetime }: PageAnswers["rule"]): Promise<void> {
  await store.decide("grant", { id, rule, lifetime });
}

/** Without a transaction: what was applied here last. */
export async function askUndo(store: Store, wanted?: string): Promise<void> {
  await store.askAfter(async () => {
    const about = { ...(wanted === undefined ? {} : { transaction: wanted }), dryRun: true };
    const { said, transaction, diff } = await ask<PageAnswers["undo"]>("undo", about);
    return { kind: "undo", transaction, summary: said, diff };
  });
}

export async function undo(store: Store, transaction: string): Promise<void> {
  await store.decide("undo", { transaction, dryRun: false });
  store.history = undefined;
  if (store.view === "history") await store.load("history", {});
}

export async function explain(store: Store): Promise<void> {
  const { shown } = store;
  if (!shown) return;
  await store.askAfter(async () => {
    const { text } = await ask<{ text: string }>("explain", { label: shown.label });
    return { kind: "explain", text };
  });
}

/** Goes round: behind the last match comes the first. @returns where it is */
export async function find(store: Store, text: string): Promise<Store["cursor"] | undefined> {
  const { shown, layout, cursor } = store;
  const about = { label: shown?.label ?? "", text, layout, ...cursor };
  const { found } = await ask<{ found?: Store["cursor"] }>("find", about);
  if (found) store.folded.delete(found.file);
  touchGuard();
  return found;
}
