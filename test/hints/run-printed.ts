/**
 * A command that a message names, run as it is printed: by a shell, in a directory that has nothing to do with it, as a user
 * whose own state folder is another one.
 */
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { settled, until } from "../waits/until.ts";

export interface Printed {
  readonly code: number;
  /** The output of both streams. */
  readonly out: string;
}

/** Every command that the text names, in backticks or to the end of its line. */
export function commandsIn(text: string): string[] {
  return [...text.matchAll(/`(ringfence [^`]+)`|(?<!`)\b(ringfence [a-z].*)$/gm)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
}

/** The only one, or the one that begins so. */
export function commandIn(text: string, begins = "ringfence "): string {
  const found = commandsIn(text).filter((command) => command.startsWith(begins));
  if (found[0] === undefined || found.length > 1)
    throw new Error(`it names ${found.length} commands with ${begins}: ${text}`);
  return found[0];
}

/** @param answer typed at a terminal when it is asked "Apply this?"; without it there is no terminal */
export async function runPrinted(command: string, answer?: string): Promise<Printed> {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-elsewhere-")));
  try {
    symlinkSync(await binaryPath(), join(elsewhere, "ringfence"));
    const options = {
      cwd: elsewhere,
      env: {
        PATH: `${elsewhere}:${process.env["PATH"]}`,
        HOME: elsewhere,
        XDG_STATE_HOME: elsewhere,
        TERM: "dumb",
      },
    };
    return await (answer === undefined ? runPiped : runTyped)(command, options, answer ?? "");
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
}

interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

async function runPiped(command: string, where: Where): Promise<Printed> {
  const child = Bun.spawn(["sh", "-c", command], {
    ...where,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = Promise.all([child.stdout.text(), child.stderr.text()]);
  const code = await settled(command, child.exited);
  return { code, out: (await texts).join("") };
}

async function runTyped(command: string, where: Where, answer: string): Promise<Printed> {
  let out = "";
  const data = (_: unknown, bytes: Uint8Array): void => void (out += Buffer.from(bytes).toString());
  const child = Bun.spawn(["sh", "-c", command], { ...where, terminal: { cols: 200, rows: 50, data } });
  await until("the question", () => out.includes("Apply this?") || child.exitCode !== null);
  child.terminal?.write(answer);
  const code = await settled(command, child.exited);
  child.terminal?.close();
  return { code, out };
}
