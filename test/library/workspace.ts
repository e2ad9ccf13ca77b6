/**
 * A temporary root with files and a place for the state, for hosts that are opened in this process.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, Failure, type CreateHostOptions, type LocalHost } from "ringfence";
import { layFiles, type FileTree } from "../host/file-tree.ts";

export class Workspace implements Disposable {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-library-")));
  readonly root: string = join(this.path, "root");
  readonly stateDir: string = join(this.path, "state");

  constructor(files: FileTree) {
    mkdirSync(this.root);
    layFiles(this.root, files);
  }

  async open(options: CreateHostOptions = {}): Promise<LocalHost> {
    return await createHost({ roots: [this.root], stateDir: this.stateDir, ...options });
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The code of the failure that a call throws. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => "nothing was thrown",
    (thrown: unknown) => (thrown instanceof Failure ? thrown.code : String(thrown)),
  );
}
