/**
 * Where clients and their files are on this machine: the home directory, the variables that move files, the programs in PATH,
 * and this executable as an entry names it.
 */
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { Failure } from "../../base/index.ts";
import { CLIENTS, type ClientRow, type ClientPlaces } from "../../clients/index.ts";
import { BUILD } from "../../config/index.ts";

/** @param prefix what stands before the paths of an administrator's files */
export function findPlaces(project: string, prefix = ""): ClientPlaces {
  const { APPDATA, CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_CONFIG_HOME } = process.env;
  return {
    home: homedir(),
    project: resolve(project),
    prefix: prefix === "" ? "" : resolve(prefix),
    platform: process.platform,
    variables: { APPDATA, CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_CONFIG_HOME },
  };
}

/** The clients that are installed, or were used by this user. */
export function findClients({ home }: ClientPlaces): readonly ClientRow[] {
  return CLIENTS.filter(
    ({ program, marks }) =>
      (program !== undefined && findProgram(program) !== undefined) ||
      marks.some((mark) => existsSync(join(home, mark))),
  );
}

/** @returns its path; `undefined` when there is no such program */
export function findProgram(command: string): string | undefined {
  if (isAbsolute(command)) return isExecutable(command) ? command : undefined;
  if (/[/\\]/.test(command)) return undefined;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const names = process.platform === "win32" ? [`${command}.exe`, `${command}.cmd`] : [command];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The file itself and no shim before it: a shim costs time at each start. From source it is the runtime with its script. */
export function thisProgram(): readonly string[] {
  const program = realpathSync(process.execPath);
  const [, script] = process.argv;
  return BUILD.target === "source" && script !== undefined ? [program, realpathSync(script)] : [program];
}

/** Larger than any configuration; Claude Code keeps its history in one. */
const MAX_BYTES: number = 16 * 1024 * 1024;

/** @returns `undefined` for a file that is not there. @throws Failure `invalid_input` for one that is no file of text */
export function readClientFile(path: string): Uint8Array | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const refuse = (why: string): Failure => new Failure("invalid_input", `Cannot read "${path}": ${why}`, { hint: "" });
  if (!stat.isFile()) throw refuse("it is no file");
  if (stat.size > MAX_BYTES) throw refuse(`it has ${stat.size} bytes, and ${MAX_BYTES} are the most`);
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw refuse((thrown as NodeJS.ErrnoException).code ?? String(thrown));
  }
}
