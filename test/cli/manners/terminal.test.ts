/**
 * What a person at a terminal sees of commands: colours and marks in every diff, lists that fit, times in words, and one line
 * about work that takes long. All of it is the terminal's alone.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ftruncateSync, openSync, closeSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ListedPlace } from "./listed-place.ts";
import { showAtTerminal, withoutColors, type ScreenOptions } from "./show-at-terminal.ts";

describe.skipIf(process.platform !== "linux")("a terminal", () => {
  let place: ListedPlace;
  beforeAll(async () => {
    place = new ListedPlace();
    await place.fill();
  });
  afterAll(() => place[Symbol.dispose]());

  const show = async (line: string, options?: ScreenOptions): Promise<string> =>
    await showAtTerminal(place, line.split(" "), options);

  test("a terminal gets a proposal in colours, with the words marked that come", async () => {
    const screen = await show("proposals show --last");
    expect(screen).toContain(
      "\u001b[36m@@ -1,3 +1,3 @@\u001b[0m\n 1\n\u001b[31m-\u001b[0m\u001b[31mtwo words here\u001b[0m\n",
    );
    expect(screen).toContain(
      "\u001b[32m+\u001b[0m\u001b[32mtwo \u001b[0m\u001b[32;7mnew \u001b[0m\u001b[32mwords here\u001b[0m\n",
    );
  });

  test("a terminal gets every line of a proposal, and what its times mean now", async () => {
    const screen = place.steady(withoutColors(await show("proposals show --last")));
    const piped = place.steady(await place.run(["proposals", "show", "--last"]));
    expect(screen).toStartWith(piped);
    expect(screen.slice(piped.length)).toMatch(/^made \d+ (?:s|min) ago, expires in 23 h\n$/);
  });

  for (const line of ["undo --dry-run", "call diff_files a=a.txt text=one"])
    test(`a terminal gets the diff of ${line} in colours, and not one character besides`, async () => {
      const args = [...line.split(" "), ...(line.startsWith("call") ? ["--root", place.root, "--fence=off"] : [])];
      const screen = await showAtTerminal(place, args);
      expect(screen).toContain("\u001b[1m--- a/a.txt\u001b[0m\n\u001b[1m+++ b/a.txt\u001b[0m\n\u001b[36m@@ ");
      expect(withoutColors(screen)).toBe(await place.run(args));
    });

  test("a terminal gets what init would write in colours", async () => {
    const screen = await show("init codex --dry-run --no-check");
    expect(screen).toContain("\u001b[32m+\u001b[0m\u001b[32m[mcp_servers.ringfence]\u001b[0m\n");
  });

  for (const [what, environment] of Object.entries({
    "NO_COLOR is set": { NO_COLOR: "1", FORCE_COLOR: "1" },
    "FORCE_COLOR is 0": { FORCE_COLOR: "0" },
    "CLICOLOR is 0": { CLICOLOR: "0" },
    "the terminal is dumb": { TERM: "dumb" },
  }))
    test(`a terminal gets no escape sequence when ${what}`, async () => {
      const screen = await show("proposals show --last", { environment });
      expect(screen).toContain("+two new words here\n");
      expect(screen).not.toContain("\u001b");
    });

  test("a pipe gets colours where they are forced, in diffs and in nothing else", async () => {
    const shown = await place.run(["proposals", "show", "--last"], { FORCE_COLOR: "1" });
    expect(shown).toContain("\u001b[32;7mnew \u001b[0m");
    expect(place.steady(withoutColors(shown))).toBe(place.steady(await place.run(["proposals", "show", "--last"])));
    for (const list of ["proposals", "history", "grants", "sessions"])
      expect(place.steady(await place.run([list], { FORCE_COLOR: "1" }))).toBe(place.steady(await place.run([list])));
  });

  test("a terminal gets signs for the blanks that a person could miss", async () => {
    using other = new ListedPlace();
    const edit = ["call", "edit_file", "path=a.txt", "old_text=one", "new_text=\tone  ", "--root", other.root];
    await other.run(edit);
    expect(withoutColors(await showAtTerminal(other, ["proposals", "show", "--last"]))).toContain(
      "\n-one\n+→       one··\n",
    );
    expect(await other.run(["proposals", "show", "--last"])).toContain("\n-one\n+\tone  \n");
  });

  describe("lists", () => {
    test("lists say how long ago, in the place of a time", async () => {
      expect(await show("history")).toMatch(/\nt_\S{22} {2}\d+ (?:s|min) ago +Edit a\.txt/);
      expect(await show("grants")).toMatch(/\ng_\S{22} {2}\d+ (?:s|min) ago +write_file\(notes/);
      expect(await show("proposals")).toMatch(/\np_\S{22} {2}\d+ (?:s|min) ago +-/);
    });

    test("lists of the record have the time on the wall", async () => {
      const [line] = (await place.run(["audit", "show", "--event", "decided", "--json"])).split("\n");
      const { time } = JSON.parse(line ?? "") as { time: string };
      // Kolkata is five and a half hours before Greenwich all year round.
      const local = new Date(Date.parse(time) + 5.5 * 60 * 60 * 1000).toISOString().replace("T", " ").slice(0, -1);
      expect(await show("audit show --event decided")).toContain(`\n${local}  decided`);
    });

    for (const line of ["proposals", "history", "grants", "sessions", "audit show", "tools"])
      test(`lists fit: ${line} is cut to the width, says so, and is whole with --wide`, async () => {
        const columns = ({ proposals: 84, sessions: 80 } as Record<string, number>)[line] ?? 62;
        const screen = withoutColors(await show(line, { columns }));
        const rows = screen.split("\n").filter((row) => !row.startsWith("info: "));
        for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(columns);
        expect(screen).toContain("…");
        expect(screen).toContain("info: Cut to the width of this terminal; --wide shows all.\n");
        const wide = await show(`${line} --wide`, { columns });
        expect(wide).not.toContain("…");
        expect(wide).not.toContain("Cut to");
        expect(wide).toContain(
          line === "tools" ? "list listdir ls file.list" : line === "history" ? "23 bytes)" : place.root,
        );
      });

    test("lists keep whole what names a row, however narrow the terminal is", async () => {
      const id = /p_\S{22}/.exec(await place.run(["proposals"]))?.[0] ?? "none";
      expect(await show("proposals", { columns: 20 })).toContain(id);
    });
  });

  test("a terminal gets one line about a long call, and nothing of it stays", async () => {
    const file = openSync(join(place.root, "large.bin"), "w");
    ftruncateSync(file, 512 * 1024 * 1024);
    closeSync(file);
    const hash = ["call", "hash_file", "paths=large.bin", "--root", place.root, "--fence=off"];
    const screen = await showAtTerminal(place, hash);
    const drawn = screen.split("\r\u001b[K");
    expect(drawn[1]).toMatch(/^\[#*\.+\] +\d+ % {2}[\d.]+ of 536\.9 MB hashed/);
    expect(drawn.slice(0, -1).every((one) => !one.includes("\n"))).toBe(true);
    expect(drawn.at(-1)).toBe(await place.run(hash));
    expect(await showAtTerminal(place, hash, { environment: { TERM: "dumb" } })).toBe(await place.run(hash));
  });

  test("a terminal gets the answer of a reading tool as it is, whatever looks like a diff in it", async () => {
    const patch = "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-a \n+\tb \n";
    writeFileSync(join(place.root, "x.patch"), patch);
    const read = ["call", "read_file", "path=x.patch", "--root", place.root, "--fence=off"];
    expect(withoutColors(await showAtTerminal(place, read))).toBe(await place.run(read));
  });
});
