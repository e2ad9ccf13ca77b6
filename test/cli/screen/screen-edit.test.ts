/**
 * A person writes another text than the agent proposed, in an editor of their own: a proposal of theirs, which is applied like
 * any other, and of which the agent's call is told.
 */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
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
  `an edit that never came to its end goes on, and not where other parts are chosen${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    const seen = join(place.path, "seen");
    mkdirSync(seen);
    // An editor that dies with what was written, each time with another number.
    const script = `n=$(ls ${seen} | wc -l); cp "$file" ${seen}/$n; echo mine >> "$file"; exit $((n + 3))`;
    const EDITOR = editorOf(place, script);
    using person = await TmuxPerson.start(place, { rows: 40, env: { EDITOR } });
    await person.sees("Nothing waits.");
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 30) });
    const edit = async (words: string, round: number): Promise<string> => {
      await person.decide("e", words);
      await person.sees(`The editor ended with ${round + 3}`);
      return readFileSync(join(seen, String(round)), "utf8");
    };
    expect(await edit("hunk 1 of 2", 0)).toBe(edited(2, 30));
    person.press("]", "]", "Space");
    expect(await edit("[ ] hunk 2 of 2", 1)).toBe(edited(2));
    person.press("Space");
    expect(await edit("[x] hunk 2 of 2", 2)).toBe(`${edited(2, 30)}mine\n`);
  },
);

test.skipIf(tmux.isMissing)(
  `what was written is removed a day after, where its proposal is gone${tmux.note}`,
  async () => {
    using place = new ReviewPlace();
    await using host = await ServeProcess.start(place);
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    const folder = join(place.stateDir, "review");
    const left = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".edit"));
    {
      using person = await TmuxPerson.start(place, { env: { EDITOR: editorOf(place, "exit 3") } });
      await person.decide("e", "hunk 1 of 1");
      await person.sees("The editor ended with 3");
    }
    const [waiting = ""] = left();
    const DAY_MS = 24 * 60 * 60 * 1000;
    const write = (name: string, ageMs: number): string => {
      const at = (Date.now() - ageMs) / 1000;
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "edit-a.txt"), "mine");
      for (const path of [join(folder, name, "edit-a.txt"), join(folder, name)]) utimesSync(path, at, at);
      return name;
    };
    write(waiting, 3 * DAY_MS);
    write("p_gone.0.edit", 2 * DAY_MS);
    write("0123456789abcdef.edit", 2 * DAY_MS);
    const young = write("p_gone.1.edit", DAY_MS / 2);
    using person = await TmuxPerson.start(place);
    await person.sees("hunk 1 of 1");
    expect(left().toSorted()).toEqual([waiting, young].toSorted());
  },
);

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
