/**
 * Keys of a person's own: each action has one, no key has two, and what a key meant before it no longer means.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyFor, NO_KEYMAP, readKeymap } from "../../../src/cli/screen/keys/keymap.ts";
import { ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { answerOf, edits, ReviewPlace } from "./review-place.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

test("readKeymap() gives keys to actions, and takes them from those that had them", () => {
  const keys = readKeymap('{"apply": "a", "comment": "y"}');
  expect([keys.get("a"), keys.get("y"), keys.get("c"), keys.get("j")]).toEqual(["y", "c", "", "j"]);
});

test.each([
  ["[]", "must be JSON"],
  ["{", "must be JSON"],
  ['{"approve": "a"}', "no action"],
  ['{"apply": "enter"}', "one character"],
  ['{"apply": "\\u001b"}', "one character"],
  ['{"apply": 1}', "one character"],
  ['{"apply": "j"}', "two actions"],
])("readKeymap() refuses %s", (text, why) => {
  expect(() => readKeymap(text)).toThrow(why);
});

test("keyFor() tells the key of a person, or the usual one", () => {
  const keymap = readKeymap('{"apply": "a", "toggle": "y"}');
  expect([keyFor({ keymap }, "apply"), keyFor({ keymap }, "toggle"), keyFor({ keymap }, "undo")]).toEqual([
    "a",
    "y",
    "u",
  ]);
  expect(keyFor({ keymap: NO_KEYMAP }, "toggle")).toBe("space");
});

test("no message of the screen names a key by its letter", async () => {
  const folder = join(import.meta.dir, "../../../src/cli/screen");
  const sources = ["carry-out.ts", "keys/press-in-open.ts", "keys/choose-parts.ts", "keys/look-wider.ts"];
  for (const path of sources) {
    const named = /["`][^"`]*\b(?:space|[a-zA-Z]) (?:takes|splits|says|shows|rejects|applies|leaves)\b/.exec(
      await Bun.file(join(folder, path)).text(),
    );
    expect([path, named?.[0]]).toEqual([path, undefined]);
  }
});

test.skipIf(tmux.isMissing)(`a person decides with keys of their own${tmux.note}`, async () => {
  using place = new ReviewPlace();
  const path = join(place.path, "keys.json");
  writeFileSync(path, '{"apply": "Y", "next-hunk": "h", "undo": "U", "split": "S", "help": "%"}');
  await using host = await ServeProcess.start(place);
  using person = await TmuxPerson.start(place, { args: ["--keys", path] });
  await person.sees("Nothing waits.");
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await person.decide("y", "hunk 1 of 1");
  person.press("h", "Space");
  await person.sees("[ ] hunk 1 of 1");
  person.press("Space", "%");
  await person.sees("Y              as y below");
  person.press("Escape");
  await person.sees("Y apply  n reject  space in/out");
  await person.decide("Y", "[x] hunk 1 of 1");
  await person.sees("U takes it back.");
  expect(await answerOf(host, 1)).toContain("A person approved it.");
});
