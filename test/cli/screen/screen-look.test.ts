/**
 * The ways to look at what waits: more of a file than its diff, blanks, long lines, words that are looked for, and a list that
 * is narrowed to some words.
 */
import { expect, test } from "bun:test";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { answerOf, edited, edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

test.skipIf(tmux.isMissing)(`the lines around a hunk are shown as far as a person wants${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place, { rows: 100 });
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(25, 50) });
  await person.sees("hunk 1 of 2");
  expect(person.screen).not.toContain("line 15");
  person.press("]", "+");
  await person.sees("10 more lines around each hunk");
  await until("ten more lines", () => / 12 {3}line 12\n/.test(person.screen) && / 60 {3}line 60/.test(person.screen));
  expect(person.screen).toContain("... 11 lines that do not change");
  expect(person.screen).not.toMatch(/ 11 {3}line 11\n/);
  person.press("W");
  await until("the whole file", () => / 1 {3}line 1\n/.test(person.screen) && / 60 {3}line 60/.test(person.screen));
  expect(person.screen).not.toContain("lines that do not change");
  // A comment can be about a line that the diff does not have, and parts are still chosen by their hunks.
  person.press("/");
  await person.sees("Find");
  person.type("LINE 40");
  person.press("Enter");
  await until("the line", () => />[ ]+40 {3}line 40/.test(person.screen));
  person.press("c");
  await person.sees("What do you say about a.txt:40?");
  person.type("And here?");
  person.press("Enter");
  await person.sees("» And here?");
  person.press("]", "Space");
  await person.sees("[ ] hunk 2 of 2");
  person.press("W");
  await until("the diff again", () => !person.screen.includes("line 40\n"));
  await person.decide("y", "[ ] hunk 2 of 2");
  const answer = await answerOf(host, 1);
  expect(answer).toContain('a.txt:40 "line 40": And here?');
  expect(place.text()).toBe(edited(25));
});

test.skipIf(tmux.isMissing)(
  `a change of blanks alone is told as one, and every blank can be seen${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: [{ old_text: "line 7\n", new_text: "line  7\n" }] });
    await person.sees("only blanks differ");
    person.press("b");
    await person.sees("+ line··7");
    expect(person.screen).toContain("- line·7");
    person.press("b");
    await person.sees("+ line  7");
  },
);

test.skipIf(tmux.isMissing)(
  `the list can be narrowed to some words, and nothing else is applied then${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    for (const [at, name] of ["one.md", "two.txt", "three.md"].entries()) {
      host.call(at + 1, "write_file", { path: name, content: `${name}\n` });
      await person.sees(`${at + 1} waiting`);
    }
    await person.decide("}", "+ one.md");
    await person.decide("}", "+ two.txt");
    await person.sees("+ three.md");
    person.press("f");
    await person.sees("Only proposals with these words:");
    person.type(".MD create");
    person.press("Enter");
    await person.sees('3 waiting, 2 with ".MD create"');
    expect(person.screen).not.toContain("two.txt");
    await person.decide("A", "+ three.md");
    await person.sees("Apply 2 of 2 proposals?");
    await person.decide("y", "Apply 2 of 2 proposals?");
    await person.sees("Nothing in the list has these words");
    expect([place.has("one.md"), place.has("two.txt"), place.has("three.md")]).toEqual([true, false, true]);
    person.press("f");
    await person.sees("these words: .MD create");
    person.press("C-u", "Enter");
    await person.sees("+ two.txt");
  },
);
