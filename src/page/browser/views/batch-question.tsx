/**
 * What of a group would be applied together, and why the others wait. Only ordinary changes that were on the screen whole are in it.
 */
import type { JSX } from "preact";
import type { BatchView } from "../../protocol.ts";
import { applyBatch } from "../decide.ts";
import { mayDecide } from "../guard.ts";
import type { Store } from "../store.ts";
import { DecideButton } from "./decide-button.tsx";

export function BatchQuestion({ store, batch }: { readonly store: Store; readonly batch: BatchView }): JSX.Element {
  const { taken, left } = batch;
  const decide = (): void => void applyBatch(store, batch);
  return (
    <div onKeyDown={(event) => event.key === "y" && mayDecide(event) && decide()}>
      <p>These are applied, with what you chose:</p>
      <ul class="plain">
        {taken.map(({ label, summary }) => (
          <li key={label}>
            {summary} <code>{label}</code>
          </li>
        ))}
      </ul>
      {left.length > 0 && <p>These wait on:</p>}
      <ul class="plain">
        {left.map(({ summary, why }, at) => (
          <li key={at}>
            {summary}: {why}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => store.ask(undefined)}>
        Back <kbd>Esc</kbd>
      </button>
      <DecideButton class="apply" onDecide={decide}>
        Apply {taken.length} of {taken.length + left.length} <kbd>y</kbd>
      </DecideButton>
    </div>
  );
}
