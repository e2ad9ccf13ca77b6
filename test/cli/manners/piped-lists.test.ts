/**
 * What goes through a pipe is read by scripts, so it stays byte for byte as it is, whatever a terminal would be shown: no
 * colour, no cut, no time in words. The literals were written before terminals had any manners.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ListedPlace } from "./listed-place.ts";

const PIPED: Readonly<Record<string, string>> = {
  proposals: `\
ID                        AGE  CLIENT  DIRECTORY            RISK  LINES  CHANGE
p_0000000000000000000000  0s   -       /tmp/rf-000000/tree  R2    +1 -1  Edit a.txt
`,
  "proposals show --last": `\
a.txt:2  -two words here  +two new words here
1. Edit /tmp/rf-000000/tree/a.txt (23 bytes -> 27 bytes, mode 644, utf-8)
@@ -1,3 +1,3 @@
 1
-two words here
+two new words here
 three
id: p_0000000000000000000000@0000000000000000000000000000000000000000
tool: edit_file, risk R2
made: 2026-11-23T09:30:00.000Z, expires: 2026-11-23T09:30:00.000Z
`,
  history: `\
ID                        AT                        CHANGE
t_0000000000000000000000  2026-11-23T09:30:00.000Z  Edit a.txt (25 bytes -> 23 bytes)
`,
  "undo --dry-run": `\
Would undo: Edit a.txt (25 bytes -> 23 bytes) (transaction t_0000000000000000000000)
  edit /tmp/rf-000000/tree/a.txt
  +1 -1 lines

--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
-1
+one
 two words here
 three
`,
  grants: `\
ID                        SINCE                     RULE                  ROOTS
g_0000000000000000000000  2026-11-23T09:30:00.000Z  write_file(notes/**)  /tmp/rf-000000/tree
`,
  sessions: `\
ID                            STATE  CALLS  FAILED  OWN CHANGES  CLIENT  ROOTS
20261123T093000000Z-00000000  ended  0      0       0                    /tmp/rf-000000/tree
20261123T093000000Z-00000000  ended  1      0       0                    /tmp/rf-000000/tree
20261123T093000000Z-00000000  ended  1      0       1                    /tmp/rf-000000/tree
`,
  "audit show --event decided": `\
TIME                      EVENT    TOOL
2026-11-23T09:30:00.000Z  decided  edit_file  call=20261123T093000000Z-00000000:000000003 paths=["a.txt"] decision=allow rule=mode:accept_edits reason=this host was started to apply edits at once risk=R2
2026-11-23T09:30:00.000Z  decided  edit_file  call=20261123T093000000Z-00000000:000000003 paths=["a.txt"] decision=ask rule=mode:default reason=changes are proposed before they are made risk=R2
`,
  "tools --root /tmp/rf-000000/tree --profile minimal": `\
TOOL            EFFECT  ALSO                                WHAT IT IS FOR
list_directory  read    list listdir ls file.list           List directory
read_file       read    read Read file.read read_text_file  Read file
read_files      read                                        Read files
stat            read    file_stat                           File status
glob            read    Glob                                Find files by pattern
grep            read    Grep                                Search file contents
disk_usage      read                                        Disk usage
hash_file       read                                        Hash files
tree            read                                        Directory tree
diff_files      read                                        Compare files
system_info     read                                        About this host
await_review    read                                        Wait for a review
`,
  "upstream --config /tmp/rf-000000/more.json": `\
NAME   OFFERED  LAST  TO DO
other  0        -     none of its tools are offered until a person has looked at them: \`ringfence upstream review other --config /tmp/rf-000000/more.json --state-dir /tmp/rf-000000/ringfence\`
`,
  "spaces --config /tmp/rf-000000/more.json --root /tmp/rf-000000/tree": `\
ID  OFFERED  WAITING  FOLDER                     PROBLEMS
-   0        -        /tmp/rf-000000/spaces/one  manifest.json: the id "a:b" is not made of a-z, 0-9, - and _
`,
  "call diff_files a=a.txt text=one --root /tmp/rf-000000/tree": `\
[+1 -3 lines]
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,1 @@
-1
-two words here
-three
+one
\\ No newline at end of file
`,
};

/** What terminals are asked by; a pipe is none. */
const LIKE_A_TERMINAL = { TERM: "xterm-256color", COLORTERM: "truecolor", COLUMNS: "40", CLICOLOR: "1" };

// The folder stands in columns, so its length is that of a temporary folder of Linux.
describe.skipIf(process.platform !== "linux")("piped output", () => {
  let place: ListedPlace;
  beforeAll(async () => {
    place = new ListedPlace();
    await place.fill();
  });
  afterAll(() => place[Symbol.dispose]());

  for (const [line, literal] of Object.entries(PIPED)) {
    const args = (): string[] => line.replaceAll("/tmp/rf-000000", place.path).split(" ");

    test(`piped output of ${line.split(" --root")[0]} is these bytes`, async () => {
      expect(place.steady(await place.run(args()))).toBe(literal);
      expect(place.steady(await place.run(args(), LIKE_A_TERMINAL))).toBe(literal);
    });
  }

  test("piped output of sessions show is these bytes", async () => {
    // The first one, because others of this file may have calls by now.
    const row = (await place.run(["sessions"])).trimEnd().split("\n").at(-1) ?? "";
    const shown = `\
session 20261123T093000000Z-00000000: ended
from 2026-11-23T09:30:00.000Z to 2026-11-23T09:30:00.000Z, mode accept_edits
roots: /tmp/rf-000000/tree
kept besides the record: 0 bytes of calls, 0 outputs

20261123T093000000Z-00000000:000000003  2026-11-23T09:30:00.000Z  edit_file  allow  completed  a.txt
`;
    expect(place.steady(await place.run(["sessions", "show", row.split(" ")[0] ?? ""], LIKE_A_TERMINAL))).toBe(shown);
  });

  test("piped output of check has a row for every value, whole and padded to the longest", async () => {
    const { values } = JSON.parse(await place.run(["check", "--root", place.root, "--json"])) as {
      values: { key: string; from: string; value: unknown }[];
    };
    const rows = [
      ["KEY", "FROM", "VALUE"],
      ...values.map(({ key, from, value }) => [key, from, JSON.stringify(value)]),
    ];
    const [keys, from] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    const lines = rows.map(([a = "", b = "", c = ""]) => `${a.padEnd(keys ?? 0)}  ${b.padEnd(from ?? 0)}  ${c}\n`);
    const printed = await place.run(["check", "--root", place.root], LIKE_A_TERMINAL);
    expect(printed).toBe(`${lines.join("")}\n0 rules; 0 examples hold.\n`);
  });
});
