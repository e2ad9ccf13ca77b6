/**
 * The tools of construct: short names, `old` and `new`, seconds for time.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as common from "./common.ts";

export const construct: DialectTable = {
  about: `Read a file before you edit it. ${common.PROPOSED}`,
  tools: [
    common.readRow("read"),
    common.writeRow("write"),
    {
      name: "edit",
      tool: "edit_file",
      description: `Replaces old with new in a file. old must stand there exactly. ${common.EXACT} ${common.READ_FIRST} ${common.PROPOSED}`,
      parameters: {
        path: common.file,
        ...common.oldAndNew("old", "new"),
        all: common.replaceAll,
      },
    },
    {
      name: "bash",
      tool: "shell",
      description: common.SHELL,
      parameters: { command: common.command, timeout: common.timeoutSeconds },
    },
    common.globRow("glob"),
    common.grepRow("grep"),
    {
      name: "listdir",
      tool: "list_directory",
      description: common.LISTS,
      parameters: { path: common.directory },
    },
  ],
};
