/**
 * PreparedChanges steps onto a folder, one after the other and without any care: what they mean, as a model for tests.
 * It looks at no precondition, so a step that was prepared wrongly shows in the tree or as an error of the system.
 */
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PreparedStep } from "../../src/txn/model.ts";

export function playSteps(root: string, steps: readonly PreparedStep[], content: (index: number) => Uint8Array): void {
  for (const step of steps) {
    const at = join(root, step.at.rel);
    mkdirSync(dirname(at), { recursive: true });
    const isThere = lstatSync(at, { throwIfNoEntry: false }) !== undefined;
    if ("before" in step && isThere !== (step.before.kind !== "absent"))
      throw new Error(`${step.op} ${step.at.rel}: not as it was prepared`);
    if (step.op === "put") {
      const mode = step.mode ?? lstatSync(at, { throwIfNoEntry: false })?.mode;
      writeFileSync(at, content(step.content));
      if (mode !== undefined) chmodSync(at, mode & 0o7777);
    } else if (step.op === "make_directory") mkdirSync(at);
    else if (step.op === "move") renameSync(join(root, step.from.rel), at);
    else if (step.op === "copy") copyAny(join(root, step.from.rel), at);
    else rmSync(at, { recursive: true });
  }
}

/** node:fs rewrites relative links when it copies a tree. */
function copyAny(from: string, to: string): void {
  const stat = lstatSync(from);
  const replaced = lstatSync(to, { throwIfNoEntry: false });
  if (!stat.isDirectory()) rmSync(to, { force: true });
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stat.isFile()) {
    copyFileSync(from, to);
    // What is replaced keeps its mode, and any other copy has no bits beside the permissions.
    chmodSync(to, replaced?.isFile() ? replaced.mode & 0o7777 : stat.mode & 0o777);
  } else {
    mkdirSync(to);
    for (const name of readdirSync(from)) copyAny(join(from, name), join(to, name));
  }
}
