/**
 * The editor of the person at the terminal, as `VISUAL` or `EDITOR` names it. It gets the terminal for as long as it runs, and
 * a line to begin at where it is one of those that take `+LINE`.
 */
import { Failure } from "../../base/index.ts";

/** @param path absolute. @throws Failure `unsupported` without an editor, `failed` for one that cannot be started or fails */
export async function openEditor(path: string, line: number): Promise<void> {
  const command = [process.env["VISUAL"], process.env["EDITOR"]].find((one) => one?.trim());
  if (command === undefined)
    throw new Failure("unsupported", "Cannot open the editor: neither VISUAL nor EDITOR names one", {
      hint: "Set EDITOR, as in: EDITOR=vi ringfence review",
    });
  // As git and others do: the variable is a command line, which may have arguments.
  const child = Bun.spawn(["/bin/sh", "-c", `${command} "$@"`, "editor", ...placed(command, line), path], {
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  if (code !== 0)
    throw new Failure("unsupported", `The editor ended with ${code}: ${command}`, {
      hint: "Call again, or set EDITOR to another one.",
    });
}

const TAKES_LINE = /(?:^|\/)(?:n?vim?|vi|emacs|emacsclient|nano|micro|kak|joe|ed)\b/;

function placed(command: string, line: number): string[] {
  return TAKES_LINE.test(command) ? [`+${line}`] : [];
}
