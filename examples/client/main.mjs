/**
 * A host in a process of its own, driven from plain JavaScript. Node 20 and Bun run this file as it is:
 *
 *     npm run build && node examples/client/main.mjs [BINARY [DIR]]
 *
 * Works on a copy of examples/workspace, or in the directory that is given.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CallError, connect, ConnectionError } from "ringfence/client";

const here = fileURLToPath(new URL(".", import.meta.url));
const [binary = join(here, "..", "..", "dist", "ringfence"), given] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "ringfence-example-"));
const root = given ?? join(scratch, "workspace");
if (given === undefined) cpSync(join(here, "..", "workspace"), root, { recursive: true });

try {
  const client = await connect({
    binary,
    roots: [root],
    stateDir: join(scratch, "state"),
    client: { name: "client-example" },
    timeoutMs: 30_000,
  });
  try {
    await work(client);
  } finally {
    await client.close();
  }
} catch (error) {
  if (!(error instanceof ConnectionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

/** @param {import("ringfence/client").Client} client */
async function work(client) {
  console.log(`${client.server.name} with ${(await client.listTools()).length} tools`);
  const events = await client.events();

  // The arguments and the result have types: an editor completes them.
  const { structured } = await client.call("grep", { pattern: "^Status: .*" });
  for (const { path, line, text } of structured.matches ?? []) console.log(`${path}:${line}:${text}`);

  try {
    await client.call("read_file", { path: "reprot.txt" });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.log(error.code, error.hint, error.candidates);
  }

  // The host changes only what was read before; then the change waits for a yes.
  await client.call("read_file", { path: "report.txt" });
  const edit = { path: "report.txt", old_text: "Status: draft", new_text: "Status: final" };
  const { proposal } = await client.call("edit_file", edit);
  console.log((await client.proposals.get(proposal.id)).files[0].diff);
  const { transaction } = await client.proposals.apply(proposal.id);
  console.log((await client.history.undo(transaction)).summary);

  // What went on record since `events()`.
  const seen = [];
  for await (const { event, tool } of events) {
    seen.push(typeof tool === "string" ? `${event} ${tool}` : event);
    if (event === "undone") break;
  }
  console.log(seen.length, seen[0], seen.at(-1));
}
