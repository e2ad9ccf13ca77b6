/**
 * `ringfence import flynn FILE`: writes a configuration of another host as one of ours, to stdout or to a new file, and names
 * what could not be carried over, and what means nothing here so far.
 */
import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { Failure } from "../../base/index.ts";
import { importConfig } from "../../config/index.ts";
import { writeNew } from "../../state/index.ts";
import { EXIT, UsageError, type CliCommand } from "../command.ts";
import { messages, print } from "../print.ts";

/** More than any configuration has. */
const MAX_BYTES: number = 1024 * 1024;

export const importCommand: CliCommand = {
  about: "Write another host's configuration as one of ringfence.",
  takes: "flynn FILE",
  most: 2,
  flags: { out: { about: "A new file to write it to, instead of stdout.", value: "FILE" } },
  examples: [
    "ringfence import flynn ~/.config/flynn/config.yaml",
    "ringfence import flynn config.yaml --out ringfence.json",
  ],
  async run(typed) {
    const [source, file] = typed.positionals;
    if (source !== "flynn" || file === undefined) throw new UsageError("import takes flynn and a file");
    const { config, left, idle } = await importConfig(source, readText(file), extname(file) || ".yaml");
    const text = `${JSON.stringify(config, null, 2)}\n`;
    const out = typed.one("out");
    if (out === undefined) print(text);
    else writeTo(out, text);
    for (const one of left) messages().warn(`not carried over: ${one}`);
    for (const one of idle) messages().warn(one);
    return left.length + idle.length === 0 ? EXIT.ok : EXIT.partly;
  },
};

/** @throws Failure `invalid_input` that says what is wrong with the file */
function readText(path: string): string {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > MAX_BYTES) throw new Error(`it has ${stat.size} bytes, and ${MAX_BYTES} are the most`);
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new Failure("invalid_input", `Cannot import "${path}": ${whyOf(thrown)}`, {
      hint: "Give a configuration as YAML, JSON or TOML.",
    });
  }
}

function writeTo(path: string, text: string): void {
  try {
    writeNew(path, text);
  } catch (thrown) {
    throw new Failure("invalid_input", `Cannot write "${path}": ${whyOf(thrown)}`, {
      hint: "Name a new file with --out.",
    });
  }
}

function whyOf(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === "EEXIST") return "it is there already";
  return code === "ENOENT" ? "no such file" : (code ?? message);
}
