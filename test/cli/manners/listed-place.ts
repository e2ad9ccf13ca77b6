/**
 * A state folder with something in every list, and what the lists say of it with ids, times and the folder in forms that stay
 * the same. Each replacement is as long as what it stands for, so that columns stay where they were.
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../../binary/build-binary.ts";
import { HANG_MS } from "../../waits/until.ts";

export class ListedPlace implements Disposable {
  /** Always of one length, because it stands in columns. */
  readonly path: string = mkdtempSync("/tmp/rf-");
  readonly root: string = join(this.path, "tree");

  constructor() {
    mkdirSync(this.root);
    writeFileSync(join(this.root, "a.txt"), "one\ntwo words here\nthree\n");
  }

  /** Makes the configuration of another server and of a space, a change, a proposal, a grant, and the sessions of both. */
  async fill(): Promise<void> {
    const space = join(this.path, "spaces", "one");
    mkdirSync(space, { recursive: true });
    writeFileSync(join(space, "manifest.json"), '{"id": "a:b"}');
    const servers = { other: { command: "/bin/cat" } };
    const more = { upstream: servers, spaces: [join(this.path, "spaces")] };
    writeFileSync(join(this.path, "more.json"), JSON.stringify(more));
    const edit = ["call", "edit_file", "path=a.txt", "--root", this.root];
    await this.run([...edit, "old_text=one", "new_text=1", "--mode", "accept_edits"]);
    await this.run([...edit, "old_text=two words here", "new_text=two new words here"]);
    await this.run(["grants", "add", "write_file(notes/**)", "--root", this.root]);
  }

  async run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = Bun.spawn([await binaryPath(), ...args], {
      cwd: this.root,
      env: this.environment(environment),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: HANG_MS,
    });
    return await child.stdout.text();
  }

  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const path = process.env["PATH"] ?? "";
    return { PATH: path, HOME: this.path, XDG_STATE_HOME: this.path, TZ: "Asia/Kolkata", ...more };
  }

  /** Puts what differs from run to run into one form. */
  steady(text: string): string {
    return text
      .replaceAll(this.path, "/tmp/rf-000000")
      .replaceAll(/\b([ptg])_[\w-]{22}/g, `$1_${"0".repeat(22)}`)
      .replaceAll(/\b\d{8}T\d{9}Z-[\w-]{8}/g, "20261123T093000000Z-00000000")
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, "2026-11-23T09:30:00.000Z")
      .replaceAll(/\b([0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/g, (digest) => "0".repeat(digest.length))
      .replaceAll(/^(p_0{22} {2})\d+[sm] +/gm, "$10s   ");
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
