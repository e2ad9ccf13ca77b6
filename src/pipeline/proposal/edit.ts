/**
 * A person makes a proposal of their own out of one that waits. Nothing is decided by it: the new one is on record as proposed by
 * a person, and is approved like any other.
 */
import { parseLabel } from "../../approval/index.ts";
import type { PendingProposal } from "../../calls/index.ts";
import type { TextInput } from "../../jobs/index.ts";
import type { Caller } from "../call.ts";
import { asMethod, changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";

/** @throws Failure `invalid_input` when nothing was edited, `unsupported` for what is no text, `conflict` for another digest */
export async function editProposal(
  host: Services,
  ask: TextInput & { readonly text: string },
  caller: Caller,
): Promise<PendingProposal> {
  const { id } = parseLabel(ask.id);
  const isOwn = host.proposed.has(id);
  const { view, files, operations } = await changeJob(host, "edit", { ...ask, isOwn }, asMethod(caller));
  host.audit.record("change", {
    status: "proposed",
    by: "person",
    edits: ask.id,
    proposal: view.id,
    digest: view.digest,
    files: files.map(({ absolute, operation, added, removed, hash }) => ({
      path: absolute,
      operation,
      added,
      removed,
      hash,
    })),
    operations,
  });
  return view;
}
