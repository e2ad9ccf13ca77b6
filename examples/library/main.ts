/**
 * The tools inside a program, without a pipe: what an agent runtime of one's own does with them. Works on a copy of
 * examples/workspace, or in the directory that is given:
 *
 *     node scripts/setup.mjs examples/library/main.ts [DIR]
 *
 * Usual mistake: to forget `close`. The workers keep the program alive until then.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, Failure, type ToolHost } from "ringfence";

const scratch = mkdtempSync(join(tmpdir(), "ringfence-example-"));
const root = process.argv[2] ?? join(scratch, "workspace");
if (process.argv[2] === undefined) cpSync(join(import.meta.dir, "..", "workspace"), root, { recursive: true });

try {
  await using host = await createHost({
    roots: [root],
    stateDir: join(scratch, "state"),
    rules: [{ deny: "delete" }],
    client: "library-example",
  });
  await work(host);
} catch (thrown) {
  if (!(thrown instanceof Failure)) throw thrown;
  console.error(`${thrown.code}: ${thrown.message}. ${thrown.data.hint}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

async function work(host: ToolHost): Promise<void> {
  // For a model: descriptions, and calls by name whose failures are answers.
  console.log(`${(await host.listTools()).length} tools`);
  const missing = await host.callTool("read_file", { path: "reprot.txt" });
  console.log(missing.isError, missing.text);
  const refused = await host.callTool("delete", { path: "report.txt" });
  console.log(refused.failure?.code, (await host.explain("delete", { path: "report.txt" })).decision.rule);

  // For the program itself: typed arguments and results, failures thrown.
  const { structured } = await host.call("grep", { pattern: "^Status: .*" });
  console.log(structured.matches?.map(({ path, line, text }) => `${path}:${line}:${text}`));

  // A change waits until the program, or the person in front of it, says yes. It can be taken back.
  const edit = { path: "report.txt", old_text: "Status: draft", new_text: "Status: final" };
  const { proposal } = await host.call("edit_file", edit);
  if (!proposal) return;
  console.log((await host.proposals.get(proposal.id)).files[0]?.diff);
  const { transaction } = await host.proposals.apply(proposal.id);
  console.log((await host.history.undo(transaction)).summary);

  // A call that takes too long is given up.
  const late = await host.call("grep", { pattern: "x" }, { timeoutMs: 0 }).catch((error: unknown) => error);
  console.log(late instanceof Failure && late.code);
}
