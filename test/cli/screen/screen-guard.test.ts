/**
 * What decides and what does not: keys that were typed ahead, pasted, or meant for what stood there before decide nothing, and
 * what a proposal holds commands no terminal and hides nothing.
 */
import { expect, test } from "bun:test";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { answerOf, edited, edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

test.skipIf(tmux.isMissing)(
  `keys that were typed ahead, came together or were pasted apply nothing${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    person.type("yyyyyy");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await person.sees("hunk 1 of 1");
    // Before anybody could have read it.
    person.press("y");
    await person.sees("nothing was decided");
    await until("keys count", () => !person.keys.includes("[wait]"));
    person.type("yyyyyy");
    await until("the burst was read", () => person.screen.includes("nothing was decided"));
    person.press("Escape");
    await until("the note is gone", () => !person.screen.includes("nothing was decided"));
    person.paste("y");
    person.paste("yyyyyy\ny\n");
    // A key that is shown comes after all of these.
    person.press("?");
    await person.sees("previous hunk");
    expect(place.text()).toBe(edited());
    person.press("Escape");
    await person.decide("y", "hunk 1 of 1");
    expect(await answerOf(host, 1)).toContain("A person approved it.");
    expect(place.text()).toBe(edited(2));
  },
);

test.skipIf(tmux.isMissing)(
  `a key that is meant for one proposal does not decide about the next${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "write_file", { path: "b.txt", content: "b\n" });
    await person.sees("Create b.txt");
    host.call(2, "write_file", { path: "c.txt", content: "c\n" });
    await person.sees("2 waiting");
    await person.decide("y", "Create b.txt");
    await person.sees("1 waiting");
    // Within 400 ms of the next one.
    if (person.keys.includes("[wait]")) person.press("y");
    expect(await answerOf(host, 1)).toContain("A person approved it.");
    await person.decide("}", "Create c.txt");
    expect(place.has("c.txt")).toBe(false);
  },
);

test.skipIf(tmux.isMissing)(
  `what a proposal holds commands no terminal, and is all there to see${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place, { columns: 100, rows: 40 });
    await person.sees("Nothing waits.");
    const content = [
      "title \u001b]0;owned\u0007 clear \u001b[2J\u001b[1;1H",
      "turned \u202eright\u202c to left\r",
      "\ttab and blanks  ",
      "wide 漢字漢字 and 👩‍👩‍👧 and e\u0301",
      "zero width\u200bhere",
      "y\u001b[201~y",
      `long ${"x".repeat(300)} end`,
    ].join("\n");
    host.call(1, "write_file", { path: "bad\u001b[31m.txt", content });
    await person.sees("title \\x1b]0;owned\\x07 clear \\x1b[2J\\x1b[1;1H");
    const { screen } = person;
    expect(screen).toContain("turned \\u202eright\\u202c to left␍");
    expect(screen).toContain("→       tab and blanks··");
    expect(screen).toContain("wide 漢字漢字 and ");
    expect(screen).toContain("zero width\\u200bhere");
    expect(screen.replaceAll(/\s+/g, "")).toContain(`${"x".repeat(300)}end(nolinefeedattheend)`);
    expect(screen.split("\n")[0]).toContain("ringfence review: 1 waiting");
    // Without wrapping the rest of the line is to the right.
    person.press("w");
    await until("the line goes on to the right", () => person.screen.includes("›"));
    for (let step = 0; step < 14; step++) person.press("Right");
    await until("the end of the long line", () => person.screen.includes("x end"));
  },
);

test.skipIf(tmux.isMissing)(`a line of ten million characters is shown and can be left${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place);
  await person.sees("Nothing waits.");
  host.call(1, "write_file", { path: "long.txt", content: `begin ${"0123456789".repeat(1_000_000)}\n` });
  await person.sees("very long lines");
  person.press("j", "j", "Enter", "j");
  await person.sees("begin 0123456789");
  person.press("PgDn", "PgDn");
  await until("rows of the line", () => /^ *\d{60,}$/m.test(person.screen));
  person.press("q");
  await person.sees("ended 0");
});

test.skipIf(tmux.isMissing)(`a dumb terminal is asked in lines${tmux.note}`, async () => {
  using place = new ReviewPlace();
  using person = await TmuxPerson.start(place, { env: { TERM: "dumb" } });
  await person.sees("Nothing waits in");
  expect(person.isOnAlternateScreen).toBe(false);
});
