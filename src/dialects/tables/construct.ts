/**
 * The tools of the Construct operator, of its documentation and of the program that is shipped. Parameters of the newer
 * documentation (`old_string`, `replace_all`, `cwd`) are taken without being shown.
 */
import type { DialectTable, TableRow } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

const ABOUT = `Read a file before you edit it. ${usual.PROPOSED}`;
const EXACTLY_ONCE = "It must occur exactly once.";

const read: TableRow = {
  ...usual.read,
  description: `Reads a file. Text comes with line numbers, which are no part of it. Images are shown. ${usual.CUT}`,
  preset: { line_numbers: true },
};

/** Replaces one place: the operator has no switch for every place. */
function edit(old: string, fresh: string, also: readonly [old: string, fresh: string] | undefined): TableRow {
  const taken = (index: 0 | 1) => (also ? { also: [also[index]] } : {});
  const parameters = {
    [old]: { to: "old_text", required: true, description: `The text to replace. ${EXACTLY_ONCE}`, ...taken(0) },
    [fresh]: { to: "new_text", required: true, description: "The text to put in its place.", ...taken(1) },
  };
  return {
    tool: "edit_file",
    description: `Replaces ${old} with ${fresh} in a file. ${old} must stand there exactly. ${EXACTLY_ONCE} ${usual.READ_FIRST} ${usual.PROPOSED}`,
    parameters: { path: usual.file, ...parameters },
  };
}

/** By the tables of its documentation. */
export const construct: DialectTable = {
  about: ABOUT,
  tools: {
    read,
    write: usual.write(),
    edit: edit("old", "new", ["old_string", "new_string"]),
    bash: usual.bash({
      timeout: { ...usual.timeoutSeconds, description: "Seconds after which it is ended. Default 120." },
    }),
    glob: usual.find,
    grep: usual.grep,
    listdir: {
      ...usual.list,
      also: ["list"],
      parameters: { path: { to: "path", required: true, description: "The directory." } },
    },
  },
};

/** By the schemas of the program. */
export const constructOperator: DialectTable = {
  about: ABOUT,
  tools: {
    read_file: { ...read, parameters: { path: usual.file } },
    write_file: usual.write(),
    edit_file: edit("old_string", "new_string", undefined),
    bash: usual.bash({}),
    glob: {
      ...usual.find,
      parameters: { pattern: "The glob pattern, matched against the path below the first root." },
    },
    grep: {
      ...usual.grep,
      parameters: {
        pattern: usual.regex,
        path: usual.searched,
        glob: usual.glob("Only files that match this glob, for example *.ts."),
      },
    },
    list_dir: usual.list,
  },
};
