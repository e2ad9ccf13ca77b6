/**
 * What a proposal may hold to deceive its reader: each is shown whole, with a sign for what commands or hides, and nothing of it
 * reaches the terminal as a command.
 */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

const ESC = "\u001b";

/** What is in the file, and what is on the screen. */
const HOSTILE: readonly [name: string, line: string, shown: string][] = [
  ["a title of the window", `${ESC}]2;owned\u0007end`, "\\x1b]2;owned\\x07end"],
  ["a cleared screen", `${ESC}[2J${ESC}[1;1Hend`, "\\x1b[2J\\x1b[1;1Hend"],
  ["the end of the second screen", `${ESC}[?1049l${ESC}cend`, "\\x1b[?1049l\\x1bcend"],
  ["text that overwrites itself", "rm -rf /\recho ok", "rm -rf /␍echo ok"],
  ["backspaces", "danger\b\b\b\b\b\bsafe", "danger\\x08\\x08\\x08\\x08\\x08\\x08safe"],
  ["turned text", "if (\u202eadmin\u2066)", "if (\\u202eadmin\\u2066)"],
  ["no width", "pass\u200bword\u2060\ufeff", "pass\\u200bword\\u2060\\ufeff"],
  ["a control of eight bits", "a\u009b31mb\u0085c", "a\\x9b31mb\\x85c"],
  ["blanks that look like others", "a\u00a0b\u3164c  ", "a⍽b"],
  ["the frame of the screen", "│ ringfence review: 0 waiting", "│ ringfence review: 0 waiting"],
  ["keys that a terminal answers with", `${ESC}[6n${ESC}[c${ESC}Zend`, "\\x1b[6n\\x1b[c\\x1bZend"],
];

test.skipIf(tmux.isMissing)(`hostile texts are shown whole and command nothing${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place, { columns: 100, rows: 40 });
  await person.sees("Nothing waits.");
  host.call(1, "write_file", { path: "bad.txt", content: `${HOSTILE.map(([, line]) => line).join("\n")}\n` });
  await person.sees("hunk 1 of 1");
  person.press("End");
  await until("the last line", () => person.screen.includes("\\x1bZend"));
  const rows = person.screen.split("\n");
  for (const [name, , shown] of HOSTILE)
    expect({ name, isShown: rows.some((row) => row.includes(`+ ${shown}`)) }).toEqual({ name, isShown: true });
  expect(rows[0]).toContain("ringfence review: 1 waiting");
  expect(person.isOnAlternateScreen).toBe(true);
  // No answer of the terminal came in as keys: nothing was decided, and no sheet is open.
  expect(place.has("bad.txt")).toBe(false);
});

const mounts = component("unshare", "mount");

test.skipIf(tmux.isMissing || mounts.isMissing || !canMount())(
  `a review runs where nothing in the temporary folder may be executed${tmux.note}${mounts.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    const folder = join(place.path, "noexec");
    mkdirSync(folder);
    const script = `mount -t tmpfs -o noexec none "${folder}" && exec "$@"`;
    const before = `unshare -rm sh -c '${script}' sh env TMPDIR="${folder}"`;
    using person = await TmuxPerson.start(place, { before });
    await person.sees("Nothing waits.");
    host.call(1, "write_file", { path: "b.txt", content: "b\n" });
    await person.decide("y", "+ b");
    await until("it is applied", () => place.has("b.txt"));
  },
);

/** Not every machine lets a person have mounts of their own. */
function canMount(): boolean {
  return Bun.spawnSync(["unshare", "-rm", "true"]).success;
}
