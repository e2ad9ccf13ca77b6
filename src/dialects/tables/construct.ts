/** The tools of the Construct operator: short names, `old` and `new`, and seconds for time. */
import type { DialectTable } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

export const construct: DialectTable = {
  about: `Read a file before you edit it. ${usual.PROPOSED}`,
  tools: {
    read: usual.read,
    write: usual.write(),
    edit: usual.edit(
      `Replaces old with new in a file. old must stand there exactly. ${usual.EXACT}`,
      "old",
      "new",
      "all",
    ),
    bash: usual.bash({ timeout: usual.timeoutSeconds }),
    glob: usual.find,
    grep: usual.grep,
    listdir: usual.list,
  },
};
