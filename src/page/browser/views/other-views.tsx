/**
 * What was changed and can be taken back, and what the rules are: to be read. No rule is changed from a page.
 */
import type { JSX } from "preact";
import type { PageAnswers } from "../../protocol.ts";
import { askUndo } from "../decide.ts";
import { ageInWords, localTime } from "../show-time.ts";
import type { Store } from "../store.ts";

export function HistoryView({ store }: { readonly store: Store }): JSX.Element {
  const { history } = store;
  if (!history) return <p>Loading…</p>;
  return (
    <>
      <h2>What was changed</h2>
      {history.entries.length === 0 && <p>Nothing was changed yet.</p>}
      <ol class="entries">
        {history.entries.map(({ transaction, title, tool, ageMs, paths, state, isOwn, problem }) => (
          <li key={transaction}>
            <strong>{title}</strong>
            <small>
              {ageInWords(ageMs)} ago · {tool} · {transaction}
              {STATES[state]}
              {isOwn && " · applied in this review"}
            </small>
            <small>{paths.join(", ")}</small>
            {problem !== undefined && <small class="problem">It cannot be undone: {problem}</small>}
            {state !== "undone" && problem === undefined && (
              <button type="button" onClick={() => void askUndo(store, transaction)}>
                Undo…
              </button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

const STATES = { made: "", undone: " · undone", undo: " · undoes another change" } as const;

export function PolicyView({ policy }: { readonly policy: PageAnswers["policy"] | undefined }): JSX.Element {
  if (!policy) return <p>Loading…</p>;
  const { facts, rules, grants } = policy;
  return (
    <>
      <h2>What holds</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        These are the rules of this reviewer's configuration. A host that was started with flags of its own may have
        more; nothing is changed here.
      </p>
      <h3>Rules</h3>
      <Table
        heads={["What", "Rule", "Where it stands"]}
        rows={rules.map(({ action, rule, source }) => [action, rule, source])}
      />
      <h3>Granted</h3>
      <Table heads={["Rule", "In", "Since"]} rows={grants.map(({ rule, roots, at }) => [rule, roots, localTime(at)])} />
    </>
  );
}

export function Table({
  heads,
  rows,
}: {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): JSX.Element {
  if (rows.length === 0) return <p>There are none.</p>;
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
