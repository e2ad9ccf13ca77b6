/**
 * "Always": the exact rule, which can be edited, for how long it would hold, and what it would have allowed. It is granted as it was
 * looked up and not otherwise: whatever is edited is looked up first.
 */
import type { JSX } from "preact";
import type { GrantLifetime } from "../../../review/index.ts";
import type { RuleView } from "../../protocol.ts";
import { grant, openRule } from "../decide.ts";
import { mayDecide } from "../guard.ts";
import type { Store } from "../store.ts";
import { DecideButton } from "./decide-button.tsx";

interface RuleGiven {
  readonly store: Store;
  readonly id: string;
  readonly sheet: RuleView;
}

export function RuleQuestion({ store, id, sheet }: RuleGiven): JSX.Element {
  const { rule, lifetime, lines, isUsable } = sheet;
  const decide = (): void => {
    // What stands in a field and was not looked up yet is not what is shown.
    const isShown = valueOf("rule", rule) === rule && valueOf("candidate", rule) === rule;
    if (isUsable && isShown && valueOf("lifetime", lifetime) === lifetime) void grant(store, id, sheet);
    else store.say("Look the rule up first.");
  };
  const onKey = (event: KeyboardEvent): void => {
    if ((event.target as Element).matches("input, select")) return;
    if (event.key === "y" && mayDecide(event)) decide();
    if (event.key === "e") {
      event.preventDefault();
      document.getElementById("rule")?.focus();
    }
  };
  return (
    <div onKeyDown={onKey}>
      <pre tabIndex={0} aria-label="The rule and what it would have allowed" class="sheet">
        {lines.join("\n")}
      </pre>
      <RuleFields store={store} id={id} sheet={sheet} />
      <DecideButton class="apply" onDecide={decide}>
        Grant this rule <kbd>y</kbd>
      </DecideButton>
      <button type="button" onClick={() => store.ask(undefined)}>
        Back <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function valueOf(id: string, otherwise: string): string {
  const field = document.getElementById(id) as HTMLInputElement | HTMLSelectElement | null;
  return field?.value ?? otherwise;
}

/**
 * Whatever is chosen here is looked up at once, with what stands in the other fields. Until the answer comes the choice stays: an
 * element whose value is given would take the old one with whatever else is drawn.
 */
function RuleFields({ store, id, sheet }: RuleGiven): JSX.Element {
  const { rule, candidates, lifetime, lifetimes } = sheet;
  const look = ({ currentTarget: field }: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }): void => {
    const chosen = ["rule", "candidate"].map((other) => valueOf(other, rule)).find((value) => value !== rule);
    void openRule(store, id, {
      rule: field.id === "lifetime" ? (chosen ?? rule) : field.value,
      lifetime: valueOf("lifetime", lifetime) as GrantLifetime,
    });
  };
  return (
    <>
      <label for="rule">
        The rule, as it would be kept <kbd>e</kbd>
      </label>
      <input id="rule" type="text" key={rule} defaultValue={rule} spellcheck={false} onChange={look} />
      {candidates.length > 1 && (
        <>
          <label for="candidate">Rules that would settle it</label>
          <select id="candidate" onChange={look}>
            {[...new Set([rule, ...candidates])].map((one) => (
              <option key={one} value={one} selected={one === rule}>
                {one}
              </option>
            ))}
          </select>
        </>
      )}
      <label for="lifetime">It holds for</label>
      <select id="lifetime" onChange={look}>
        {lifetimes.map((one) => (
          <option key={one.lifetime} value={one.lifetime} selected={one.lifetime === lifetime}>
            {one.words}
          </option>
        ))}
      </select>
    </>
  );
}
