/**
 * What every measure works with: the two servers, and a temporary workspace that both may reach. The binary is linked
 * into a place of its own, so that a build that runs meanwhile does not change what is measured.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface Server {
  readonly name: string;
  readonly command: readonly string[];
  /** The tool that reads a text file. Both take `path`, absolute. */
  readonly readTool: string;
}

export interface Bench extends AsyncDisposable {
  readonly ours: Server;
  readonly reference: Server;
  /** The root of both servers; deleted at the end. */
  readonly workspace: string;
  /** What is searched, if it was given; only read. */
  readonly tree: string | undefined;
  /** Chooses the searches that are made for the tree. */
  readonly seed: number;
}

const ROOT = dirname(import.meta.dir);
const REFERENCE = join(ROOT, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

interface Wanted {
  readonly binary?: string | undefined;
  readonly tree?: string | undefined;
  readonly seed: number;
}

/** Builds dist/ringfence unless a binary is given. @throws Error when it does not build, or there is no Node */
export async function prepareBench({ binary, tree, seed }: Wanted): Promise<Bench> {
  const built = binary === undefined ? build() : resolve(binary);
  const node = Bun.which("node");
  if (node === null) throw new Error("Cannot measure the reference: there is no node on the PATH");
  // The reference compares real paths, and the temporary directory is a link on some systems.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-bench-"));
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const own = join(folder, "ringfence");
  linkOrCopy(built, own);
  const serve = [own, "serve", "--root", workspace, "--state-dir", join(folder, "state"), "--baseline=if_known"];
  return {
    ours: { name: "ringfence", command: serve, readTool: "read_file" },
    reference: { name: "reference", command: [node, REFERENCE, workspace], readTool: "read_text_file" },
    workspace,
    tree: tree === undefined ? undefined : realpathSync(tree),
    seed,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server of ours that reaches one more folder. */
export function withRoot(server: Server, root: string): Server {
  return { ...server, command: [...server.command, "--root", root] };
}

/** One call from the shell, with the roots and the state directory of a server of ours. */
export function callCommand(server: Server, tool: string, args: object): string[] {
  const [program = "", , ...flags] = server.command;
  return [program, "call", tool, ...flags, "--json", JSON.stringify(args)];
}

function build(): string {
  const result = spawnSync(process.execPath, [join(ROOT, "scripts", "build.ts")], { stdio: "inherit" });
  if (result.status !== 0) throw new Error("Cannot measure: the build failed");
  return join(ROOT, "dist", "ringfence");
}

/** A second name for the file where that is possible. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
