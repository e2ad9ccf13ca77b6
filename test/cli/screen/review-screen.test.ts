/**
 * `ringfence review` on the whole screen of a real terminal: a person sees what hosts propose, decides part by part, and the
 * calls that wait are answered.
 */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { until } from "../../waits/until.ts";
import { TmuxPerson } from "./tmux-person.ts";

const tmux = component("tmux", "bash");

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);
const edits = (...at: readonly number[]): object[] =>
  at.map((number) => ({ old_text: `line ${number}\n`, new_text: `new ${number}\n` }));

function plant(): Place & { readonly text: (name?: string) => string } {
  const place = new Place();
  writeFileSync(join(place.root, "a.txt"), LINES.join(""));
  return Object.assign(place, { text: (name = "a.txt") => readFileSync(join(place.root, name), "utf8") });
}

async function answerOf(host: ServeProcess, id: number): Promise<string> {
  const { result } = await host.find((message) => message.id === id);
  return result?.content?.at(-1)?.text ?? "";
}

test.skipIf(tmux.isMissing).each([
  [80, 24],
  [200, 50],
])(`a person decides part by part on a screen of %d columns and %d rows${tmux.note}`, async (columns, rows) => {
  using place = plant();
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
  // Hunk 2 out, a comment on line 40.
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
  person.press("j", "j", "j", "j", "j");
  await person.decide("y", "[x] hunk 3 of 3");
  const answer = await answerOf(one, 1);
  expect(answer).toContain("Left out: a.txt, hunk 2.\n");
  expect(answer).toContain('The person says:\na.txt:40 "new 40": Keep the numbers.\n');
  expect(place.text()).toBe(
    LINES.map((line, index) => (index === 1 || index === 39 ? `new ${index + 1}\n` : line)).join(""),
  );
  // The next one is rejected, and its call reads why.
  await person.decide("n", "2 waiting");
  await person.sees("Why? The agent reads it");
  person.type("not now");
  person.press("Enter");
  await person.sees("1 waiting");
  const failures = await Promise.race([answerOf(one, 2), answerOf(two, 1)]);
  expect(failures).toContain("a person rejected it: not now");
  person.press("q");
  await person.sees("ended 0");
  expect(person.isOnAlternateScreen).toBe(false);
});
