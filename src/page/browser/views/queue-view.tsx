/**
 * What waits, by the client that proposed it: what it would do, how dangerous that is, how old it is and how long it goes on
 * waiting. Drawn again only when it has changed, because a hundred of them stand beside every key that is pressed.
 */
import { Component, type JSX } from "preact";
import type { QueueItem } from "../../protocol.ts";
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
      const group = groups.get(item.client) ?? [];
      groups.set(item.client, group);
      group.push(item);
    }
    return (
      <nav class="queue" aria-label="What waits" tabIndex={0}>
        {queue?.length === 0 && <p>Nothing waits. What agents propose is shown as it comes.</p>}
        {[...groups].map(([client, items]) => (
          <section key={client}>
            <h2>{client || "No client"}</h2>
            <ul>
              {items.map((item) => (
                <li key={item.id}>
                  <button
                    type="button"
                    id={`q-${item.id}`}
                    aria-current={item.id === selected ? "true" : undefined}
                    onClick={() => void store.select(item.id)}
                  >
                    <strong>{item.change}</strong>
                    <small>
                      <span class={`risk ${item.risk}`}>{item.risk}</span> {item.tool}
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
