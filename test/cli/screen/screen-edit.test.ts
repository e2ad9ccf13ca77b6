/**
 * A person writes another text than the agent proposed, in an editor of their own: a proposal of theirs, which is applied like
 * any other, and of which the agent's call is told.
 */
import { expect, test } from "bun:test";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { answerOf, edited, edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

/** An editor that does this to its last argument. */
function editorOf(place: ReviewPlace, script: string): string {
  const path = join(place.path, "editor");
  writeFileSync(path, `#!/bin/sh\nfor file; do :; done\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.skipIf(tmux.isMissing)(
  `what a person edits is a proposal of theirs, and the agent reads it${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    const EDITOR = editorOf(place, 'sed -i "s/new 2$/mine 2/" "$file"');
    using person = await TmuxPerson.start(place, { rows: 40, env: { EDITOR } });
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 30) });
    await person.sees("hunk 1 of 2");
    person.press("]", "]", "Space");
    await person.sees("[ ] hunk 2 of 2");
    await person.decide("e", "[ ] hunk 2 of 2");
    await person.sees("edited by a person");
    await person.sees("+ mine 2");
    expect(person.screen).toContain("A person edited this: it is not what the agent proposed.");
    expect(place.text()).toBe(edited());
    // The agent's own one waits beside it, and is not applied by mistake.
    await person.decide("{", "+ mine 2");
    await person.decide("y", "+ new 2");
    await person.sees("Apply what the agent proposed, without what you wrote?");
    person.press("Escape");
    await person.decide("}", "+ new 2");
    await person.decide("y", "+ mine 2");
    const answer = await answerOf(host, 1);
    expect(answer).toContain("A person approved it, and edited it before, and left out parts of it.");
    expect(answer).toContain("Left out: a.txt, hunk 2.\n");
    expect(answer).toContain("-new 2\n+mine 2\n");
    expect(place.text()).toBe(edited().replace("line 2\n", "mine 2\n"));
    await person.sees("Nothing waits.");
  },
);

test.skipIf(tmux.isMissing)(`what was written is not lost when it cannot be proposed${tmux.note}`, async () => {
  using place = new ReviewPlace();
  await using host = await ServeProcess.start(place);
  // Somebody else changes the file while the person writes.
  const EDITOR = editorOf(place, `echo mine >> "$file"; echo theirs >> ${join(place.root, "a.txt")}`);
  using person = await TmuxPerson.start(place, { columns: 200, env: { EDITOR } });
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await person.decide("e", "hunk 1 of 1");
  await person.sees("What you wrote is in");
  const folder = join(place.stateDir, "review");
  const [kept = ""] = readdirSync(folder).filter((name) => name.endsWith(".edit"));
  expect(await Bun.file(join(folder, kept, "edit-a.txt")).text()).toBe(`${edited(2)}mine\n`);
  expect(place.text()).toBe(`${edited()}theirs\n`);
});

test.skipIf(tmux.isMissing)(
  `an editor that changes nothing, and none at all, leave everything as it is${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    using person = await TmuxPerson.start(place, { env: { EDITOR: "true", VISUAL: "" } });
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await person.decide("e", "hunk 1 of 1");
    await person.sees("You changed nothing.");
    expect(person.screen).toContain("1 waiting");
    using other = await TmuxPerson.start(place, { env: { EDITOR: "", VISUAL: "" } });
    await other.decide("e", "hunk 1 of 1");
    await other.sees("neither VISUAL nor EDITOR names one");
  },
);
