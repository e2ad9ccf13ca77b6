/**
 * What waits, by the client and the session that proposed it: what it would do, how dangerous that is, how old it is and how long it goes on
 * waiting. Drawn again only when it has changed, because a hundred of them stand beside every key that is pressed.
 */
import { Component, type JSX } from "preact";
import type { QueueItem } from "../../protocol.ts";
import { offerBatch } from "../decide.ts";
import { ago, ahead } from "../show-time.ts";
import type { Store } from "../store.ts";

interface QueueGiven {
  readonly store: Store;
  readonly queue: readonly QueueItem[] | undefined;
  readonly selected: string | undefined;
}

export class QueueView extends Component<QueueGiven> {
  override shouldComponentUpdate({ queue, selected }: QueueGiven): boolean {
    return queue !== this.props.queue || selected !== this.props.selected;
  }

  override render(): JSX.Element {
    const { store, queue, selected } = this.props;
    const groups = new Map<string, QueueItem[]>();
    for (const item of queue ?? []) {
      const group = groups.get(item.group) ?? [];
      groups.set(item.group, group);
      group.push(item);
    }
    return (
      <nav class="queue" aria-label="What waits" tabIndex={0}>
        {queue?.length === 0 && <p>Nothing waits. What agents propose is shown as it comes.</p>}
        {[...groups].map(([name, items]) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            {items.length > 1 && (
              <button type="button" class="together" onClick={() => void offerBatch(store, items[0]?.id)}>
                Apply together… <kbd>A</kbd>
              </button>
            )}
            <ul>
              {items.map((item) => (
                <li key={item.id}>
                  <button
                    type="button"
                    id={`q-${item.id}`}
                    aria-current={item.id === selected ? "true" : undefined}
                    onClick={() => void store.select(item.id)}
                  >
                    <strong>{item.title}</strong>
                    <small>
                      <span class={`risk ${item.risk}`}>{item.risk}</span>{" "}
                      {item.isCall ? `a call of ${item.tool}` : item.tool}
                      {item.added !== undefined && ` +${item.added} −${item.removed ?? 0}`} · {ago(item.createdAt)} ·{" "}
                      {ahead(item.expiresAt)}
                    </small>
                    {item.problem !== undefined && <small class="problem">{item.problem}</small>}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    );
  }
}
