/**
 * The tools of construct: short names, `old` and `new`, seconds for time.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

export const construct: DialectTable = {
  about: `Read a file before you edit it. ${usual.PROPOSED}`,
  tools: [
    usual.readRow("read"),
    usual.writeRow("write"),
    usual.editRow("edit", {
      old: "old",
      fresh: "new",
      all: "all",
      description: `Replaces old with new in a file. old must stand there exactly. ${usual.EXACT}`,
    }),
    {
      name: "bash",
      tool: "shell",
      description: usual.SHELL,
      parameters: { command: usual.command, timeout: usual.timeoutSeconds },
    },
    usual.globRow("glob"),
    usual.grepRow("grep"),
    {
      name: "listdir",
      tool: "list_directory",
      description: usual.LISTS,
      parameters: { path: usual.directory },
    },
  ],
};
