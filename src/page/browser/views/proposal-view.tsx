/**
 * One proposal: what it is and what stands against it, what can be done about it, and all that it does, file by file.
 */
import type { JSX } from "preact";
import { apply, explain, openRule } from "../decide.ts";
import { DecideButton } from "./decide-button.tsx";
import { FileView } from "./file-view.tsx";
import { Comments } from "./said-view.tsx";
import { ago, ahead } from "../show-time.ts";
import type { Store } from "../store.ts";
import type { Shown } from "../shown.ts";

export function ProposalView({ store }: { readonly store: Store }): JSX.Element {
  const { shown } = store;
  if (!shown) return <main class="proposal empty">{store.queue ? "" : "Loading…"}</main>;
  return (
    <main class="proposal" id="proposal" tabIndex={0} aria-label="The proposal">
      <div class="head">
        <h2 id="summary">{shown.summary}</h2>
        <p>
          <span class={`risk ${shown.risk}`}>{shown.risk}</span> {shown.tool}
          {shown.client && ` from ${shown.client}`} · {ago(shown.createdAt)} · {ahead(shown.expiresAt)} ·{" "}
          <code>{shown.label}</code>
        </p>
        {shown.problem !== undefined && <p class="problem">It cannot be applied now: {shown.problem}</p>}
        {shown.warnings.map((warning) => (
          <p class="warning" key={warning}>
            Note: {warning}
          </p>
        ))}
        <Actions store={store} shown={shown} />
        <Comments store={store} path={undefined} />
      </div>
      {shown.files.map((file, at) => (
        <FileView
          key={`${shown.label} ${at}`}
          store={store}
          at={at}
          file={file}
          choices={store.choices}
          layout={store.layout}
          wraps={store.wraps}
          isFolded={store.folded.has(at)}
        />
      ))}
    </main>
  );
}

function Actions({ store, shown }: { readonly store: Store; readonly shown: Shown }): JSX.Element {
  return (
    <div class="actions">
      <DecideButton onDecide={() => void apply(store)} class="apply">
        {shown.isCall ? "Allow once" : "Apply what is in"} <kbd>y</kbd>
      </DecideButton>
      <button type="button" onClick={() => store.ask({ kind: "reject" })}>
        Reject… <kbd>n</kbd>
      </button>
      <button type="button" onClick={() => store.ask({ kind: "comment", about: {}, where: "the proposal" })}>
        Comment…
      </button>
      <button type="button" onClick={() => void openRule(store, shown.id)}>
        Always… <kbd>g</kbd>
      </button>
      <button type="button" onClick={() => void explain(store)}>
        Explain <kbd>x</kbd>
      </button>
      {!shown.isCall && (
        <>
          <button
            type="button"
            aria-pressed={store.layout === "split"}
            onClick={() => void store.setLayout(store.layout === "split" ? "unified" : "split")}
          >
            Side by side <kbd>2</kbd>
          </button>
          <button type="button" aria-pressed={store.wraps} onClick={() => toggleWrap(store)}>
            Wrap <kbd>w</kbd>
          </button>
          <span class="count">
            {store.unseenCount() === 0 ? "All parts were shown" : `${store.unseenCount()} parts not shown yet`}
          </span>
        </>
      )}
    </div>
  );
}

export function toggleWrap(store: Store): void {
  store.wraps = !store.wraps;
  store.changed();
}
