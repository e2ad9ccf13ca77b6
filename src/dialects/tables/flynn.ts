/**
 * The tools of flynn, whose names have dots. Where a client allows no dots, `flynn-plain` is the same with underscores.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

export const flynn: DialectTable = {
  about: `Read a file before you change it. ${usual.PROPOSED}`,
  tools: [
    usual.readRow("file.read"),
    usual.writeRow("file.write"),
    usual.editRow("file.edit", {
      description: `Replaces an exact piece of text in a file. ${usual.EXACT}`,
    }),
    {
      name: "file.list",
      tool: "list_directory",
      description: usual.LISTS,
      parameters: {
        path: usual.directory,
        recursive: { to: "recursive", description: "Also what is below. Default false." },
      },
    },
    {
      name: "shell.exec",
      tool: "shell",
      description: usual.SHELL,
      parameters: { command: usual.command, cwd: usual.workDirectory, timeout: usual.timeoutMs },
    },
    usual.startRow("process.start"),
    usual.outputRow("process.status"),
    usual.stopRow("process.kill"),
    {
      name: "system.info",
      tool: "system_info",
      description: "What this server is: version, platform, roots, what happens to changes, limits.",
      parameters: {},
    },
  ],
};
