/**
 * What a person can do besides yes and no: look why, see what is stale, take back what was applied, allow for longer, and apply
 * what is ordinary together. And what holds when somebody else is at it too.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { answerOf, edited, edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

test.skipIf(tmux.isMissing)(
  `what was never on the screen is applied only when asked once more${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 20, 40) });
    await person.sees("hunk 1 of 3");
    await person.decide("y", "hunk 1 of 3");
    await person.sees("Not all of it was on the screen.");
    expect(person.screen).toContain("a.txt, hunk 3: 8 of 8 lines were never on the screen");
    person.press("Escape");
    await person.sees("hunk 1 of 3");
    expect(place.text()).toBe(edited());
    person.press("End");
    await person.sees("line 43");
    await person.decide("y", "line 43");
    expect(await answerOf(host, 1)).toContain("A person approved it.");
    expect(place.text()).toBe(edited(2, 20, 40));
  },
);

test.skipIf(tmux.isMissing)(
  `what was applied is taken back in the same view, and the history shows both${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await person.decide("y", "hunk 1 of 1");
    await person.sees("u takes it back");
    expect(place.text()).toBe(edited(2));
    await person.decide("u", "Nothing waits.");
    await person.sees("Take this back?");
    expect(person.screen).toContain("+line 2");
    await person.decide("y", "Take this back?");
    await person.sees("Taken back:");
    expect(place.text()).toBe(edited());
    person.press("H");
    await person.sees("(taken back)");
    expect(person.screen).toMatch(/> .* ago {2}Undo: /);
  },
);

test.skipIf(tmux.isMissing)(`a stale proposal shows old, new and now, and is not applied${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  expect(await answerOf(host, 1)).toContain("Nothing is written yet.");
  place.write("a.txt", place.text().replace("line 3\n", "theirs 3\n"));
  using person = await TmuxPerson.start(place, { rows: 50 });
  await person.sees("It cannot be applied now:");
  await person.decide("y", "It cannot be applied now:");
  await person.sees("t shows old, new and now");
  person.press("t");
  await person.sees("Left to do, from what is there now to the new text:");
  const { screen } = person;
  const [, proposed = "", meanwhile = "", now = ""] =
    /Proposed([^]*)Changed meanwhile([^]*)Left to do([^]*)/.exec(screen) ?? [];
  expect(proposed).toMatch(/- line 2\n.*\+ new 2\n/);
  expect(meanwhile).toMatch(/- line 3\n.*\+ theirs 3\n/);
  expect(now).toMatch(/- theirs 3\n/);
  expect(place.text()).toContain("line 2\n");
});

test.skipIf(tmux.isMissing)(
  `a rule is granted with what it would have allowed, and ends with its session${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await person.sees("hunk 1 of 1");
    person.press("x");
    await person.sees("Because    changes are proposed before they are made");
    person.press("Escape");
    await person.decide("g", "hunk 1 of 1");
    await person.sees("It allows this very call again, and no other one.");
    expect(person.screen).toContain("It lifts no deny");
    person.press("r");
    await person.sees("The rule: edit_file(a.txt)");
    await person.sees("Of the last 1 questions on record it would have allowed 1:");
    person.press("e");
    await person.sees("Enter sends it");
    person.press("C-u");
    person.type("edit_file(**");
    person.press("Enter");
    await person.sees("It cannot be used:");
    person.press("e");
    await person.sees("Enter sends it");
    person.type(")");
    person.press("Enter");
    await person.sees("Of the last 1 questions on record it would have allowed 1:");
    expect(person.screen).toContain("It holds for: this host, until it ends");
    await person.decide("y", "Always allow?");
    await person.sees("Granted to this host, until it ends: edit_file(**)");
    host.call(2, "edit_file", { path: "a.txt", edits: edits(30) });
    expect(await answerOf(host, 2)).toContain("Applied");
    expect(place.text()).toBe(edited(30));
    // Another host with the same roots is asked all the same.
    await using other = await ServeProcess.start(place);
    other.call(1, "edit_file", { path: "a.txt", edits: edits(40) });
    await person.sees("2 waiting");
    expect(place.text()).toBe(edited(30));
  },
);

test.skipIf(tmux.isMissing)(
  `what is ordinary and seen is applied together, and the rest waits${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    place.write("package-lock.json", "{}\n");
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await person.sees("1 waiting");
    host.call(2, "write_file", { path: "b.txt", content: "b\n" });
    await person.sees("2 waiting");
    host.call(3, "delete", { path: "package-lock.json" });
    await person.sees("3 waiting");
    await person.decide("}", "hunk 1 of 1");
    await person.decide("}", " 1 + b");
    await person.decide("A", "tool: delete");
    await person.sees("Apply 2 of 3 proposals?");
    expect(person.screen).toMatch(/waits {3}.*package-lock\.json: its risk is R4/);
    await person.decide("y", "Apply 2 of 3 proposals?");
    await person.sees("1 waiting");
    expect(place.text()).toBe(edited(2));
    expect(place.has("b.txt") && place.has("package-lock.json")).toBe(true);
  },
);

test.skipIf(tmux.isMissing)(`two people who decide at once see that one of them won${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  using one = await TmuxPerson.start(place);
  using two = await TmuxPerson.start(place);
  await one.sees("Nothing waits.");
  await two.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await until("both may decide", () =>
    [one, two].every(({ screen }) => screen.includes("hunk 1 of 1") && !screen.includes("[wait]")),
  );
  one.press("y");
  two.press("y");
  expect(await answerOf(host, 1)).toContain("A person approved it.");
  await one.sees("0 waiting");
  await two.sees("0 waiting");
  const ends = [one, two].map(({ screen }) => screen.includes("u takes it back"));
  expect(ends.filter(Boolean)).toHaveLength(1);
  expect(place.text()).toBe(edited(2));
});

test.skipIf(tmux.isMissing)(
  `a proposal that somebody wrote anew is not applied as what was shown${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place);
    await person.sees("Nothing waits.");
    host.call(1, "write_file", { path: "b.txt", content: "good\n" });
    await person.sees("+ good");
    await until("it may be decided", () => !person.keys.includes("[wait]"));
    const folder = join(place.stateDir, "proposals");
    const [content = ""] = readdirSync(folder).filter((name) => name.endsWith(".0.bin"));
    expect(readFileSync(join(folder, content), "utf8")).toBe("good\n");
    // The list looks at the file that names it; this one is changed behind its back.
    writeFileSync(join(folder, content), "evil\n");
    person.press("y");
    await person.sees("somebody wrote it anew");
    expect(place.has("b.txt")).toBe(false);
    await person.sees("+ evil");
  },
);
