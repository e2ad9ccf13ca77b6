/**
 * `npm start`: builds dist/ringfence, plays a real session with it on a copy of examples/workspace, and ends with the
 * lines to paste. Exit code 1 as soon as anything is not as it should be; needs no terminal and leaves nothing behind.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { playSession } from "./start/play-session.ts";

const ROOT = dirname(import.meta.dir);
const BINARY = join(ROOT, "dist", process.platform === "win32" ? "ringfence.exe" : "ringfence");
const WORKSPACE = join(ROOT, "examples", "workspace");

try {
  await main();
} catch (error) {
  console.error(`start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  await build();
  const temporary = mkdtempSync(join(tmpdir(), "ringfence-start-"));
  try {
    const root = join(temporary, "workspace");
    cpSync(WORKSPACE, root, { recursive: true });
    const style = { colors: process.stdout.isTTY && process.env["NO_COLOR"] === undefined };
    console.log(`A session over stdin and stdout, in a copy of ${join("examples", "workspace")}:\n`);
    await playSession({ binary: BINARY, root, stateDir: join(temporary, "state"), style });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  console.log(nextSteps());
}

async function build(): Promise<void> {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts", "build.ts")], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("Cannot play the session: the build failed (see above)");
}

function nextSteps(): string {
  const config = {
    mcpServers: { ringfence: { command: BINARY, args: ["serve", "--root", WORKSPACE] } },
  };
  const read = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "read_file", arguments: { path: "report.txt" } },
  };
  return [
    "Into the configuration of an MCP client (put your own directory in the place of the last one):\n",
    JSON.stringify(config, null, 2),
    "\nFor Claude Code one command does it (init without a name shows the other clients):\n",
    `${quote(BINARY)} init claude-code --root ${quote(WORKSPACE)}   # adds it, and turns the client's own file tools off`,
    "\nA change waits until you approve it, from any terminal:\n",
    `${quote(BINARY)} proposals list`,
    `${quote(BINARY)} proposals apply ID      # shows it, and asks`,
    "\nFrom a shell, without any client:\n",
    `printf '%s\\n' '${JSON.stringify(read)}' |\n  ${quote(BINARY)} serve --root ${quote(WORKSPACE)}`,
  ].join("\n");
}

/** For a POSIX shell; untouched when nothing in it needs quotes. */
function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
