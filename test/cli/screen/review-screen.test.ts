/**
 * `ringfence review` on the whole screen of a real terminal: a person sees what hosts propose, decides part by part, and the
 * calls that wait are answered.
 */
import { expect, test } from "bun:test";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { answerOf, edited, edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

test.skipIf(tmux.isMissing).each([
  [80, 24],
  [200, 50],
])(`a person decides part by part on a screen of %d columns and %d rows${tmux.note}`, async (columns, rows) => {
  using place = new ReviewPlace();
  await using one = await ServeProcess.start(place);
  await using two = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place, { columns, rows });
  await person.sees("Nothing waits.");
  one.call(1, "edit_file", { path: "a.txt", edits: edits(2, 20, 40) });
  await person.sees("hunk 1 of 3");
  one.call(2, "write_file", { path: "b.txt", content: "b\n" });
  await person.sees("2 waiting");
  two.call(1, "write_file", { path: "c.txt", content: "c\n" });
  await person.sees("3 waiting");
  // Hunk 2 goes out, and something is said about line 40.
  person.press("]", "]", "Space");
  await person.sees("[ ] hunk 2 of 3");
  person.press("]");
  for (let step = 0; step < 5; step++) person.press("j");
  await until("the cursor is at the new line", () => /> +40 \+ new 40/.test(person.screen));
  person.press("c");
  await person.sees("What do you say about a.txt:40?");
  person.type("Keep the numbers.");
  person.press("Enter");
  await person.sees("» Keep the numbers.");
  person.press("j", "j", "j");
  await person.decide("y", "> ".concat("   43"));
  const answer = await answerOf(one, 1);
  expect(answer).toContain("Left out: a.txt, hunk 2.\n");
  expect(answer).toContain('The person says:\na.txt:40 "new 40": Keep the numbers.\n');
  expect(place.text()).toBe(edited(2, 40));
  // The next one is rejected, and its call reads why.
  await person.decide("n", "2 waiting");
  await person.sees("Why? The agent reads it");
  person.type("not now");
  person.press("Enter");
  await person.sees("1 waiting");
  expect(await answerOf(one, 2)).toContain("a person rejected it: not now");
  person.press("q");
  await person.sees("ended 0");
  expect(person.isOnAlternateScreen).toBe(false);
  // What was not decided waits on, and its call is told so.
  expect(place.has("c.txt")).toBe(false);
});

test.skipIf(tmux.isMissing)(`a hunk can be split, and its places go in and out one by one${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place);
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 6) });
  await person.sees("hunk 1 of 1");
  person.press("]", "s");
  await person.sees("split into places 1.1, 1.2");
  person.press("j", "j", "Space");
  await person.sees("[ ] place 1.1");
  await person.sees("[~] hunk 1 of 1");
  await person.decide("y", "[x] place 1.2");
  expect(await answerOf(host, 1)).toContain("Left out: a.txt, hunk 1.1.\n");
  expect(place.text()).toBe(edited(6));
});

test.skipIf(tmux.isMissing)(`comments are about a range, a file and the proposal${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place);
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await person.sees("hunk 1 of 1");
  const say = async (where: string, text: string): Promise<void> => {
    person.press("c");
    await person.sees(`What do you say about ${where}?`);
    person.type(text);
    person.press("Enter");
    await person.sees(`» ${text}`);
  };
  await say("the proposal", "Good.");
  person.press("j");
  await say("a.txt", "This file too.");
  // The head of the hunk, then its first row: the range is lines 1 to 3.
  person.press("j", "j", "V", "j", "j", "j");
  await until("the range", () => /> +3 {3}line 3/.test(person.screen) && /\| +1 {3}line 1/.test(person.screen));
  await say("a.txt:1", "All three.");
  await person.decide("n", "All three.");
  await person.sees("Why?");
  person.press("Enter");
  const answer = await answerOf(host, 1);
  expect(answer).toContain("Good.\n");
  expect(answer).toContain("a.txt: This file too.\n");
  expect(answer).toContain('a.txt:1-3 "line 1": All three.');
});
