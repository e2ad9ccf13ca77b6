/**
 * What was changed and can be taken back, and what the rules are: to be read. No rule is changed from a page.
 */
import type { JSX } from "preact";
import type { PageAnswers } from "../../protocol.ts";
import { localTime } from "../show-time.ts";
import type { Store } from "../store.ts";

export function HistoryView({ store }: { readonly store: Store }): JSX.Element {
  const { history } = store;
  if (!history) return <p>Loading…</p>;
  return (
    <>
      <h2>What was changed</h2>
      {history.transactions.length === 0 && <p>Nothing was changed yet.</p>}
      <ol class="entries">
        {history.transactions.map(({ transaction, at, tool, summary, paths, undone_by: undoneBy, undoes }) => (
          <li key={transaction}>
            <strong>{summary}</strong>
            <small>
              {localTime(at)} · {tool} · {transaction}
              {undoneBy !== undefined && ` · undone by ${undoneBy}`}
              {undoes !== undefined && ` · undoes ${undoes}`}
            </small>
            <small>{paths.join(", ")}</small>
            {undoneBy === undefined && (
              <button type="button" onClick={() => void store.askUndo(transaction)}>
                Undo…
              </button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

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
