/**
 * The answer of a call: the proposal that it became with every row of its diff, or what else the call was answered with. All of it is
 * text nodes, because models and files have written it.
 */
import type { JSX } from "preact";
import type { ClientView, ClientViewFile } from "../../client-view.ts";
import { RowView } from "../views/row-view.tsx";

export function AnswerView({
  view,
  said,
}: {
  readonly view: ClientView | undefined;
  readonly said: string;
}): JSX.Element {
  if (!view) return <pre>{said}</pre>;
  const { id, summary, tool, risk, expiresAt, warnings, problem, files, text, leftOut } = view;
  return (
    <main>
      <h1>{summary}</h1>
      <p>
        Proposed by {tool}, risk {risk}, until {new Date(expiresAt).toLocaleString()}. This is for looking at: it is
        decided where the client asks you, or with <code>ringfence review</code>.
      </p>
      {problem !== undefined && <p class="bad">It cannot be applied now: {problem}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="warn">
          Note: {warning}
        </p>
      ))}
      {leftOut !== undefined && (
        <p class="bad">
          It is too long to be shown here ({leftOut} bytes), so nothing of it is.{" "}
          <code>ringfence proposals show {id} --full</code> prints all of it.
        </p>
      )}
      {files.map((file, at) => (
        <FileRows key={at} file={file} />
      ))}
      {text !== undefined && <pre>{text}</pre>}
    </main>
  );
}

function FileRows({ file: { line, added, removed, lines } }: { readonly file: ClientViewFile }): JSX.Element {
  return (
    <section aria-label={line}>
      <h2>
        {line}{" "}
        <small>
          +{added} −{removed}
        </small>
      </h2>
      {lines.map((one, at) => {
        if ("hunk" in one) return <div key={at} class="hunk">{`hunk ${one.hunk}`}</div>;
        return "row" in one ? <RowView key={at} row={one.row} isAlone side={0} /> : null;
      })}
    </section>
  );
}
