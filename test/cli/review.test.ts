/**
 * `ringfence review`: a person in lines at a terminal, and a program over pipes, decide about what a running host has proposed,
 * and the call that waits is answered with what they decided and said.
 */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { settled, until } from "../waits/until.ts";
import { runRingfence } from "./run-ringfence.ts";

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
const CHANGES = [2, 6, 29].map((at) => ({ old_text: `line ${at}\n`, new_text: `new ${at}\n` }));

function plant(): Place & { readonly text: () => string } {
  const place = new Place();
  writeFileSync(join(place.root, "a.txt"), LINES.join(""));
  return Object.assign(place, { text: () => readFileSync(join(place.root, "a.txt"), "utf8") });
}

async function answerOf(host: ServeProcess, id: number): Promise<string> {
  const { result } = await host.find((message) => message.id === id);
  return result?.content?.at(-1)?.text ?? "";
}

/** A person at a terminal. */
class Person implements AsyncDisposable {
  #screen = "";
  #child: Bun.Subprocess | undefined;

  async start(place: Place, args: readonly string[]): Promise<void> {
    this.#child = Bun.spawn([await binaryPath(), "review", ...args, "--state-dir", place.stateDir], {
      cwd: place.root,
      env: { PATH: process.env["PATH"], HOME: place.path, XDG_STATE_HOME: place.path, TERM: "dumb" },
      terminal: {
        cols: 100,
        rows: 40,
        data: (_terminal, bytes) => {
          this.#screen += Buffer.from(bytes).toString().replaceAll("\r\n", "\n");
        },
      },
    });
  }

  get screen(): string {
    return this.#screen;
  }

  type(text: string): void {
    this.#child?.terminal?.write(text);
  }

  /** Waits for the words, and types when the prompt shows that it counts; what stood there before is forgotten. */
  async answer(words: string, typed: string): Promise<void> {
    await until(`the words ${words}`, () => this.#screen.includes(words) && this.#screen.endsWith("\n> "));
    this.#screen = "";
    this.type(`${typed}\n`);
  }

  async end(): Promise<number> {
    return await settled("the end of the review", this.#child?.exited ?? Promise.resolve(-1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill();
    await this.#child?.exited;
    this.#child?.terminal?.close();
  }
}

test("a person takes parts of a change in, leaves others out and comments, and the waiting call reads it", async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  await using person = new Person();
  await person.start(place, []);
  await until("the review waits", () => person.screen.includes("Nothing waits"));
  host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
  await person.answer("Take this part in?", "s");
  await person.answer("place 1.1", "y");
  await person.answer("place 1.2", "n");
  await person.answer("hunk 2 of 2", "c");
  await person.answer("On which line?", "29");
  await person.answer("What do you say", "Keep the numbers.");
  await person.answer("hunk 2 of 2", "y");
  await person.answer("2 of 3 places of change", "?");
  await until("the help", () => person.screen.includes("b  begin again"));
  expect(person.screen).not.toContain("c  comment");
  await person.answer("Apply? [y,n,b,l,q,?]", "y");
  const text = await answerOf(host, 1);
  expect(text).toContain("A person approved it, and left out parts of it.\nLeft out: a.txt, hunk 1.2.\n");
  expect(text).toContain('The person says:\na.txt:29 "new 29": Keep the numbers.\n');
  const expected = LINES.map((line, index) => (index === 1 || index === 28 ? `new ${index + 1}\n` : line)).join("");
  expect(place.text()).toBe(expected);
});

test("what was typed before a question could be read decides nothing", async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  await using person = new Person();
  await person.start(place, []);
  await until("the review waits", () => person.screen.includes("Nothing waits"));
  person.type("y\n".repeat(6));
  host.call(1, "edit_file", { path: "a.txt", edits: CHANGES.slice(0, 1) });
  await until("the question", () => person.screen.includes("Apply this?"));
  person.type("y\ny\ny\n");
  await until("the note", () =>
    person.screen.includes("What was typed before this question could be read is ignored."),
  );
  expect(place.text()).toBe(LINES.join(""));
  await person.answer("Apply this?", "?");
  await person.answer("c  comment on a line of it", "n");
  await person.answer("Why?", "not now");
  expect(await answerOf(host, 1)).toContain("a person rejected it: not now");
  expect(place.text()).toBe(LINES.join(""));
});

test("a review shows what commands a terminal as escapes", async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  await using person = new Person();
  await person.start(place, []);
  const content = "a\u001b]0;title\u0007\u202eb\r\n";
  host.call(1, "write_file", { path: "n\u001b[2J.txt", content });
  await until("the question", () => person.screen.includes("Apply this?"));
  expect(person.screen).toContain("a\\x1b]0;title\\x07\\u202eb␍");
  expect(person.screen).toContain("n%1B[2J.txt");
  for (const commanding of ["\u001b]", "\u001b[2J", "\u0007", "\u202e"])
    expect(person.screen).not.toContain(commanding);
});

test("a program is told of proposals in lines of JSON and decides in lines of JSON", async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  const child = Bun.spawn([await binaryPath(), "review", "--json", "--state-dir", place.stateDir], {
    cwd: place.root,
    env: { PATH: process.env["PATH"], HOME: place.path },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  let out = "";
  const reading = (async () => {
    for await (const chunk of child.stdout) out += Buffer.from(chunk).toString();
  })();
  const lineOf = async (
    type: string,
  ): Promise<{ label: string; files: { hunks: object[] }[]; [key: string]: unknown }> =>
    await until(`a line ${type}`, () =>
      out
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .findLast((line) => line.type === type),
    );
  const decide = (decision: object | string): void => {
    void child.stdin.write(typeof decision === "string" ? decision : `${JSON.stringify(decision)}\n`);
    void child.stdin.flush();
  };
  await until(
    "the reviewer is attached",
    () =>
      existsSync(join(place.stateDir, "review")) &&
      readdirSync(join(place.stateDir, "review")).some((name) => name.endsWith(".reviewer")),
  );
  host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
  const { label, files } = await lineOf("proposal");
  expect(files).toMatchObject([{ hunks: [{ places: ["1.1", "1.2"] }, { places: ["2.1"] }] }]);
  decide("not json\n");
  expect(await lineOf("failed")).toMatchObject({ failure: { code: "invalid_input" } });
  decide({ apply: label.split("@")[0] });
  for (const [given, why] of [
    [{}, 'it has neither \\"apply\\" nor \\"reject\\"'],
    [{ apply: label, out: { "a.txt": 2 } }, "out.a.txt is wrong: it must be "],
    [{ apply: label, outt: {} }, "did you mean out?"],
    [{ apply: label, out: { "./a.txt": "all" } }, 'Cannot leave out \\"./a.txt\\"'],
    [{ apply: label, out: { "a.txt": ["3"] } }, 'Cannot leave out \\"3\\" of \\"a.txt\\"'],
  ] as const) {
    decide(given);
    await until(`the words ${why}`, () => out.includes(why));
  }
  expect(place.text()).toBe(LINES.join(""));
  await until("the id alone is refused", () => out.includes("name it as ID@DIGEST"));
  decide({ apply: label, out: { "a.txt": ["1.1"] }, comments: [{ path: "a.txt", text: "Thanks." }] });
  expect(await lineOf("decided")).toMatchObject({ about: label, result: { status: "applied" } });
  expect(await answerOf(host, 1)).toContain("Left out: a.txt, hunk 1.1.\nThe person says:\na.txt: Thanks.\n");
  expect(place.text()).toContain("line 2\n");
  expect(place.text()).toContain("new 6\n");
  void child.stdin.end();
  expect(await settled("the end of the review", child.exited)).toBe(0);
  await reading;
  expect(out).toContain('"type":"ended"');
});

test("a reviewer who is killed keeps no call waiting, and a draft survives", async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  const person = new Person();
  await person.start(place, []);
  await until("the review waits", () => person.screen.includes("Nothing waits"));
  host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
  await person.answer("Take this part in?", "n");
  await until("the next part", () => person.screen.includes("hunk 2 of 2"));
  await person[Symbol.asyncDispose]();
  host.call(2, "write_file", { path: "b.txt", content: "b" });
  expect(await answerOf(host, 2)).toContain("Nothing is written yet.");
  await using again = new Person();
  await again.start(place, []);
  await again.answer("Take this part in?", "l");
  const drafts = readdirSync(join(place.stateDir, "review")).filter((name) => name.endsWith(".draft"));
  const [draft = ""] = drafts.map((name) => readFileSync(join(place.stateDir, "review", name), "utf8"));
  expect(JSON.parse(draft)).toMatchObject({ out: { "a.txt": ["1.1", "1.2"] } });
});

test("without a terminal a review in lines is refused, and nothing is decided", async () => {
  using place = plant();
  const { code, stderr } = await runRingfence(place, ["review", "--state-dir", place.stateDir], { input: "y\ny\n" });
  expect(code).toBe(2);
  expect(stderr).toContain("--json is for programs");
});
