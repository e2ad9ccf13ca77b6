/**
 * A button that decides. Enter decides nothing, on a button either: it is what people press to be rid of something.
 */
import type { ComponentChildren, JSX } from "preact";
import { mayDecide } from "../guard.ts";

interface DecideGiven {
  readonly onDecide: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function DecideButton({ onDecide, class: name, children }: DecideGiven): JSX.Element {
  return (
    <button
      type="button"
      class={name}
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      onClick={(event) => mayDecide(event) && onDecide()}
    >
      {children}
    </button>
  );
}
