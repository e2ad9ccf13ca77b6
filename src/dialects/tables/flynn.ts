/**
 * The tools of Flynn, whose names have dots. Where a client allows none, `flynn-plain` is the same with underscores.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

export const flynn: DialectTable = {
  about: `Read a file before you change it. ${usual.PROPOSED}`,
  tools: {
    "file.read": usual.read,
    "file.write": usual.write(),
    "file.edit": usual.edit(`Replaces an exact piece of text in a file. ${usual.EXACT}`),
    "file.list": {
      ...usual.list,
      parameters: { path: usual.directory, recursive: "Also what is below. Default false." },
    },
    "shell.exec": usual.bash({ cwd: usual.workDirectory, timeout: usual.timeoutMs }),
    "process.start": usual.start,
    "process.status": usual.output(),
    "process.kill": usual.stop(),
    "sessions.list": {
      tool: "sessions_list",
      description: "Lists the sessions of this server on record, newest first.",
      parameters: { limit: "At most so many. Default 20." },
    },
    "sessions.delete": {
      tool: "sessions_delete",
      description: `Deletes what an ended session keeps of its own: saved calls and long outputs. Its record and its undo stay. ${usual.PROPOSED}`,
      parameters: { id: "The id of the session, from sessions.list." },
    },
    "system.info": {
      tool: "system_info",
      description: "What this server is: version, platform, roots, what happens to changes, limits.",
    },
  },
};
