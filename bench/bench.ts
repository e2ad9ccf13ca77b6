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
}

const ROOT = dirname(import.meta.dir);
const REFERENCE = join(ROOT, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

/** Builds dist/ringfence unless a binary is given. @throws Error when it does not build, or there is no Node */
export async function prepareBench(binary?: string): Promise<Bench> {
  const built = binary === undefined ? build() : resolve(binary);
  const node = Bun.which("node");
  if (node === null) throw new Error("Cannot measure the reference: there is no node on the PATH");
  // The reference compares real paths, and the temporary directory is a link on some systems.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-bench-"));
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const own = join(folder, "ringfence");
  linkOrCopy(built, own);
  const serve = [
    own,
    "serve",
    "--root",
    workspace,
    "--state-dir",
    join(folder, "state"),
    "--baseline=if_known",
  ];
  return {
    ours: { name: "ringfence", command: serve, readTool: "read_file" },
    reference: { name: "reference", command: [node, REFERENCE, workspace], readTool: "read_text_file" },
    workspace,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function build(): string {
  const result = spawnSync(process.execPath, [join(ROOT, "scripts", "build.ts")], { stdio: "inherit" });
  if (result.status !== 0) throw new Error("Cannot measure: the build failed");
  return join(ROOT, "dist", "ringfence");
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
