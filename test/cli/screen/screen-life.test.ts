/**
 * How the screen begins, goes on and ends: whatever happens to its process, the terminal is left as it was and the drafts are on
 * disk.
 */
import { expect, test } from "bun:test";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");
const pgrep = component("pgrep");

test.skipIf(tmux.isMissing || pgrep.isMissing)(
  `a review that is killed leaves the terminal as it was, and its drafts${tmux.note}${pgrep.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 30) });
    await person.sees("hunk 1 of 2");
    person.press("]", "Space");
    await person.sees("[ ] hunk 1 of 2");
    person.press("j", "c");
    await person.sees("What do you say about a.txt:1?");
    person.type("half a com");
    await person.sees("half a com_");
    process.kill(person.pid, "SIGKILL");
    await person.sees("What was chosen is kept.");
    expect(person.isOnAlternateScreen).toBe(false);
    person.press("Enter");
    const { before, after } = await person.terminalAfter();
    expect(after).toBe(before);
    expect(place.drafts()).toMatchObject([{ out: { "a.txt": ["1.1"] }, unsent: "half a com" }]);
    using again = await TmuxPerson.start(place);
    await again.sees("[ ] hunk 1 of 2");
    // The reader is where they were, and so are their words.
    await until("the line", () => /> +1 {3}line 1/.test(again.screen));
    again.press("c");
    await again.sees("half a com_");
  },
);

test.skipIf(tmux.isMissing || pgrep.isMissing)(
  `a review stops and goes on as other programs do, and fits another size${tmux.note}${pgrep.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place, { columns: 80, rows: 24 });
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await person.sees("hunk 1 of 1");
    person.press("C-z");
    await until("the shell is back", () => !person.isOnAlternateScreen && person.screen.includes("Stopped"));
    person.type("fg\r");
    await until("the review is back", () => person.isOnAlternateScreen && person.screen.includes("hunk 1 of 1"));
    process.kill(person.pid, "SIGTSTP");
    await until("the shell is back", () => !person.isOnAlternateScreen && person.screen.includes("Stopped"));
    person.type("fg\r");
    await until("the review is back", () => person.isOnAlternateScreen && person.screen.includes("hunk 1 of 1"));
    // Wide: what waits stands beside the proposal.
    person.resize(140, 30);
    await person.sees("│");
    person.resize(60, 15);
    await until("it is narrow again", () => !person.screen.includes("│") && person.screen.includes("ringfence review"));
    expect(person.screen.split("\n").length).toBeLessThanOrEqual(16);
    await person.decide("q", "hunk 1 of 1");
    await until("the shell is back", () => !person.isOnAlternateScreen);
    const { before, after } = await person.terminalAfter();
    expect(after).toBe(before);
  },
);

test.skipIf(tmux.isMissing)(`without colours every mark has a sign${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place, { env: { NO_COLOR: "1" } });
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await person.sees("2 - line 2");
  person.press("]", "Space");
  await person.sees("2~- line 2");
  expect(person.styledScreen).not.toMatch(/\u001b\[[\d;]*(?:3[0-7]|38|4[0-7]|48|9\d)[;m]/);
});

test.skipIf(tmux.isMissing)(`for a screen reader signs are words, in one column${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place, { columns: 140, rows: 50, args: ["--spoken"] });
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await person.sees("line 2, removed: line 2");
  expect(person.screen).toContain("line 2, added: new 2");
  expect(person.screen).toContain("taken in: hunk 1 of 1, line 2");
  expect(person.screen).not.toContain("│");
  expect(person.isOnAlternateScreen).toBe(false);
});
