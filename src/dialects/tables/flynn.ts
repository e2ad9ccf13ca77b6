/**
 * The tools of flynn, whose names have dots. Where a client allows no dots, `flynn-plain` is the same with underscores.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as common from "./common.ts";

export const flynn: DialectTable = {
  about: `Read a file before you change it. ${common.PROPOSED}`,
  tools: [
    common.readRow("file.read"),
    common.writeRow("file.write"),
    {
      name: "file.edit",
      tool: "edit_file",
      description: `Replaces an exact piece of text in a file. ${common.EXACT} ${common.READ_FIRST} ${common.PROPOSED}`,
      parameters: {
        path: common.file,
        ...common.oldAndNew("old_text", "new_text"),
        replace_all: common.replaceAll,
      },
    },
    {
      name: "file.list",
      tool: "list_directory",
      description: common.LISTS,
      parameters: {
        path: common.directory,
        recursive: { to: "recursive", description: "Also what is below. Default false." },
      },
    },
    {
      name: "shell.exec",
      tool: "shell",
      description: common.SHELL,
      parameters: { command: common.command, cwd: common.workDirectory, timeout: common.timeoutMs },
    },
    common.startRow("process.start"),
    common.outputRow("process.status"),
    common.stopRow("process.kill"),
    {
      name: "system.info",
      tool: "system_info",
      description: "What this server is: version, platform, roots, what happens to changes, limits.",
      parameters: {},
    },
  ],
};
