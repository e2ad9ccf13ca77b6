/**
 * Calls that are approved after their answer. A call that becomes a proposal is answered at once where nobody reviews, and a
 * person decides later: at a terminal, or in a review that is opened then. While it runs, the host that proposed the call
 * listens for that and makes the call, because no other process has its tools.
 */
import { parseLabel } from "../../approval/index.ts";
import { Failure, reportBug, StopSource, toFailure } from "../../base/index.ts";
import type { ReviewNews } from "../../contract/index.ts";
import { openStateFolder, ReviewBoard } from "../../state/index.ts";
import { changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { approveInOrder } from "./apply.ts";

const LOOK_EVERY_MS = 1000;

/** From now on the call is made when a person approves it, whoever else waits for the decision. */
export function expectApproval(host: Services, id: string): void {
  const { late } = host.proposed;
  // Such a proposal is decided at the client, which speaks to this host.
  if (host.config.ask === "client") return;
  const board = boardOf(host);
  board.waitFor(id);
  late.set(id, { [Symbol.dispose]: () => board.letGo(id) });
  if (late.size === 1) listen(host);
}

/**
 * Makes an approved call, once; what becomes of it is among the news. Never fails. Nobody's request is behind it: who asks for the
 * news may give up without stopping the call, and no question of the call can be put to a client.
 */
export function makeApproved(host: Services, label: string): void {
  const { id } = parseLabel(label);
  const { awaited } = host.proposed;
  awaited.add(id);
  // One yes is one call, also where that cannot even be begun.
  boardOf(host).consume(id);
  const making = make(host, label).finally(() => awaited.delete(id));
  host.proposed.noteMade(id, making);
}

function boardOf({ config }: Services): ReviewBoard {
  return new ReviewBoard(openStateFolder(config.stateDir).review);
}

function listen(host: Services): void {
  host.clock.after(LOOK_EVERY_MS, () => void look(host)).unref();
}

async function look(host: Services): Promise<void> {
  const { late, awaited } = host.proposed;
  try {
    const { decided } = await changeJob(host, "decisions", { ids: [...late.keys()] });
    for (const one of decided) {
      if ("ending" in one) {
        late.get(one.id)?.[Symbol.dispose]();
        late.delete(one.id);
      } else if (!awaited.has(one.id)) makeApproved(host, one.approved.label);
    }
  } catch (thrown) {
    // A host that ends has no worker any more.
    if (thrown instanceof Failure && thrown.code === "cancelled") return;
    reportBug(thrown);
  }
  if (late.size > 0) listen(host);
}

async function make(host: Services, label: string): Promise<ReviewNews> {
  const { id } = parseLabel(label);
  try {
    const { members } = await approveInOrder(host, label, {}, { signal: new StopSource() });
    const { content = [] } = JSON.parse(`{${members}}`) as { content?: readonly { readonly text?: string }[] };
    const text = content.flatMap((block) => block.text ?? []).join("\n");
    return { id, status: "applied", text: `A person approved the call. It answered:\n${text}` };
  } catch (thrown) {
    const { message, hint } = toFailure(thrown, () => reportBug(thrown)).data;
    return { id, status: "failed", text: `A person approved the call, and it failed: ${message}\n${hint}` };
  }
}
