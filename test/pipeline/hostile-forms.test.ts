/**
 * Forms about what a model wrote so that its form would mislead: names that look like the words around them, text that
 * looks like a change, lines and names too long to be seen, more than a form can show. The point stays in what
 * everybody sees.
 */
import { expect, test } from "bun:test";
import { openAsker, type Asker } from "../host/asker.ts";
import type { FileTree } from "../host/file-tree.ts";
import type { CallParams } from "../host/in-memory-host.ts";
import { LABEL_CHARS_SEEN, labelsOf, seenOf, wholeForm } from "../host/whole-form.ts";

async function open(files: FileTree = {}, config = {}): Promise<Asker> {
  return await openAsker("2025-11-25", { files, config: { baseline: "if_known", ...config } });
}

const edit = (path: string, old_text: string, new_text: string): CallParams => ({
  name: "edit_file",
  arguments: { path, old_text, new_text },
});
const write = (path: string, content: string): CallParams => ({ name: "write_file", arguments: { path, content } });

const NAMES: [name: string, files: FileTree, call: CallParams, first: string, operation: string][] = [
  [
    "a change",
    { "a.txt:1  -x  +y": "q\n" },
    edit("a.txt:1  -x  +y", "q", "evil"),
    '"a.txt:1  -x  +y":1  -q  +evil',
    '1. Edit "/ROOT/a.txt:1  -x  +y" (2 bytes -> 5 bytes, mode 644, utf-8)',
  ],
  [
    "a move and a size",
    { "a -> b (5 bytes)": "q\n" },
    { name: "delete", arguments: { path: "a -> b (5 bytes)" } },
    'Delete "a -> b (5 bytes)" (2 bytes)',
    '1. Delete "/ROOT/a -> b (5 bytes)" (2 bytes, mode 644)',
  ],
  [
    "the end of its own quotes",
    { 'a" -> "b': "q\n" },
    { name: "delete", arguments: { path: 'a" -> "b' } },
    'Delete "a\\" -> \\"b" (2 bytes)',
    '1. Delete "/ROOT/a\\" -> \\"b" (2 bytes, mode 644)',
  ],
  [
    "a line of its own",
    {},
    write("x\nNote: all is well", "hi\n"),
    "Create bytes:x%0ANote:%20all%20is%20well:1  +hi",
    "1. Create bytes:/ROOT/x%0ANote:%20all%20is%20well (3 bytes, mode 644, utf-8)",
  ],
  [
    "something else, with signs that nobody sees",
    {},
    write("safe\u202etxt.sh", "a\u001b[2J\u202eb\u200bc\n"),
    "Create bytes:safe%E2%80%AEtxt.sh:1  +a\\x1b[2J\\u202eb\\u200bc",
    "1. Create bytes:/ROOT/safe%E2%80%AEtxt.sh (14 bytes, mode 644, utf-8)",
  ],
];

test.each(NAMES)("a name that looks like %s is still a name", async (_, files, call, first, operation) => {
  await using asker = await open(files);
  const { form, answer } = await asker.ask(call);
  const [lead, ...rest] = wholeForm(form, asker.host).split("\n");
  expect([lead, rest[0]]).toEqual([first, operation]);
  await answer({ action: "cancel" });
});

const TEXTS: [what: string, old: string, now: string, first: string][] = [
  ["a text with signs in it", "x", "safe  -p  +r", 'a.txt:1  -x  +"safe  -p  +r"'],
  ["a text with our words in it", "x  (no line feed)", "y", 'a.txt:1  -"x  (no line feed)"  +y'],
  ["a text with quotes", '"x"  +"y', "evil", 'a.txt:1  -"\\"x\\"  +\\"y"  +evil'],
  ["JSON", '"a": 1,', '"a": 2,', 'a.txt:1  -"a": 1,  +"a": 2,'],
  ["a tab", "\tgo()", "    go()", "a.txt:1  -→go()  +    go()"],
  ["a blank at the end", "go()", "go() ", "a.txt:1  -go()  +go()·"],
  ["an empty line", "go", "", "a.txt:1  -go  +"],
];

test.each(TEXTS)("%s is seen as what it is", async (_, old, now, first) => {
  await using asker = await open({ "a.txt": `${old}\n` });
  const { form, answer } = await asker.ask(write("a.txt", `${now}\n`));
  expect(form.message.split("\n")[0]).toBe(`Overwrite ${first}`);
  expect(form.message).toContain(`\n-${old}\n+${now}\n`);
  await answer({ action: "cancel" });
});

const around = (middle: string): string => `${"x".repeat(900)}${middle}${"y".repeat(900)}\n`;

test("a form shows the part in which long lines differ", async () => {
  await using asker = await open({ "a.txt": around("OLD") });
  const { form, answer } = await asker.ask(write("a.txt", around("NEW")));
  expect(form.message).toMatch(/^Overwrite a\.txt:1 {2}-…x{16}OLDy{40,}… {2}\+…x{16}NEWy{40,}…\n/);
  expect(form.message).toContain(`\n-${around("OLD")}+${around("NEW")}`);
  await answer({ action: "cancel" });
});

test("a form shows both ends of a long new line", async () => {
  await using asker = await open();
  const { form, answer } = await asker.ask(write("a.sh", `echo ${"x".repeat(900)}; rm -rf build\n`));
  expect(form.message).toMatch(/^Create a\.sh:1 {2}\+echo x+…x+; rm -rf build\n/);
  await answer({ action: "cancel" });
});

const DEEP = `${"very/long/".repeat(12)}end/of/it.js`;

test("a long name pushes neither the change nor what is allowed out of sight", async () => {
  await using asker = await open({ [DEEP]: "old\n" });
  const { form, answer } = await asker.ask(edit(DEEP, "old", "new"));
  const seen = seenOf(form);
  expect(seen.lines.split("\n")[0]).toMatch(/^very\/long\/.*….*end\/of\/it\.js:1 {2}-old {2}\+new$/);
  expect(form.message).toContain(`1. Edit ${asker.host.root}/${DEEP} (`);
  const [, always = ""] = labelsOf(form);
  expect(always.slice(0, LABEL_CHARS_SEEN)).toMatch(/^Always: edit_file\(very\/.*….*it\.js\)$/);
  expect(always).toContain(`that is edit_file(${DEEP}), now`);
  await answer({ action: "cancel" });
});

test("what was said of an earlier rejection comes after the change", async () => {
  await using asker = await open({ "a.txt": "one\n" });
  const first = await asker.ask(edit("a.txt", "one", "1"));
  await first.answer({ action: "accept", content: { decision: "reject", reason: "wrong\nfile" } });
  const { form, answer } = await asker.ask(edit("a.txt", "one", "1"));
  expect(wholeForm(form, asker.host)).toBe(`a.txt:1  -one  +1
1. Edit /ROOT/a.txt (4 bytes -> 2 bytes, mode 644, utf-8)
@@ -1,1 +1,1 @@
-one
+1
id: ID@DIGEST
tool: edit_file, risk R2
made: TIME, expires: TIME
Note: The last change that was proposed here (ID) was rejected: wrong\\x0afile
[Apply]
[Always: edit_file(a.txt), now and without asking until the host ends]
[Reject]`);
  await answer({ action: "cancel" });
});

test("what does not fit says first how to see it, and cannot be applied", async () => {
  await using asker = await open();
  const { form, answer } = await asker.ask(write("long.txt", "line\n".repeat(30_000)));
  expect(wholeForm(form, asker.host).replace(/(?:\+line\n){99,}/, "+line, and so on\n"))
    .toBe(`A form cannot show all of it: \`ringfence proposals show ID --full --state-dir /STATE\` does.
Create long.txt: +30000 -0
line 1  +line
line 2  +line
1. Create /ROOT/long.txt (150.0 kB, mode 644, utf-8)
@@ -0,0 +1,30000 @@
+line, and so on
This is page 1 of 3, so it cannot be applied here: \`ringfence proposals apply ID@DIGEST --state-dir /STATE\` applies it.
[Leave it waiting]
[Reject]`);
  await answer({ action: "accept", content: { decision: "apply" } });
  expect((await asker.host.request("ringfence/proposals/list")).result.proposals).toHaveLength(1);
});

test("a call that is asked about names its arguments first", async () => {
  await using asker = await open({ "a.txt": "x\n" });
  const { form, answer } = await asker.ask({ name: "grep", arguments: { pattern: "password" } });
  expect(wholeForm(form, asker.host)).toBe(`Call grep {"pattern":"password"}
It is asked because the search looks for secrets (mode: default).
{
  "pattern": "password"
}
[Allow this call]
[Always: grep(**, with {"pattern":"password"}), now and without asking until the host ends]
[Reject]`);
  await answer({ action: "cancel" });
});

test("a call that is too large for a form says so first, and cannot be allowed", async () => {
  await using asker = await open({}, { rules: [{ ask: "grep(**)" }] });
  const cut = await asker.ask({ name: "grep", arguments: { pattern: "x".repeat(70_000) } });
  expect(cut.form.message).toStartWith(
    "A form cannot show all of this call, so it cannot be allowed here.\nCall grep {",
  );
  expect(labelsOf(cut.form)).toEqual(["Leave it waiting", "Reject"]);
  await cut.answer({ action: "cancel" });
});
