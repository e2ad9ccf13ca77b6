/**
 * Whole forms about programs: what is run stands in the first lines, with the end of a long line and what it is given as
 * input, and everything else below.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import type { Json } from "../host/in-memory-host.ts";
import { seenOf, wholeForm } from "../host/whole-form.ts";
import { until } from "../waits/until.ts";

let place: Place;
let host: ServeProcess;
let lastId = 0;

const KEEP = {
  description: "Keeps a text.",
  program: "tee",
  args: ["{file}"],
  parameters: { file: { type: "string" } },
  stdin: "given",
};

beforeEach(async () => {
  place = new Place();
  const config = join(place.path, "config.json");
  writeFileSync(config, JSON.stringify({ shell: { enabled: true }, commands: { keep: KEEP } }));
  host = await ServeProcess.start(place, { args: ["--config", config] });
  const hello = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "test", version: "1" },
  };
  await host.ask("hello", "initialize", hello);
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

async function formOf(name: string, given: object): Promise<Json> {
  const before = host.messages.length;
  host.call(`call ${++lastId}`, name, given);
  const asked = await until("the form", () =>
    host.messages.slice(before).find(({ method }) => method === "elicitation/create"),
  );
  return asked.params;
}

/** Without what belongs to the machine: where programs lie, the environment, the fence and the limits. */
function withoutMachine(form: Json): string {
  return wholeForm(form, place)
    .replaceAll(/(?:\/\w+)+\/(?=bash |tee )/g, "/BIN/")
    .replace(/Environment:\n(?: {2}.*\n)+/, "Environment: ITS\n")
    .replace(/Fence: .*\n(?: {2}reads.*\n)*/, "Fence: ITS\n")
    .replace(/Limits: .*/, "Limits: ITS");
}

test("a command line is the first line", async () => {
  const form = await formOf("shell", { command: "git status && rm -rf build" });
  expect(withoutMachine(form)).toBe(`Run git status && rm -rf build
Program and arguments: /BIN/bash --noprofile --norc -p -c "git status && rm -rf build"
Working directory: /ROOT
Standard input: none
Environment: ITS
Fence: ITS
Time limit: 120000 ms
Limits: ITS
Arguments of shell:
  {
    "command": "git status && rm -rf build"
  }
What it changes cannot be undone by the host.
id: ID@DIGEST
tool: shell, risk R4
made: TIME, expires: TIME
Note: Asked because it removes; git runs programs that the repository's configuration names.
[Apply]
[Always: shell(git status && rm -rf build, …), that is shell(git status && rm -rf build) with {"command":"git status && rm -rf build"} in /ROOT, now and without asking until the host ends]
[Reject]`);
  expect(seenOf(form).labels[1]).toBe("Always: shell(git status && rm -rf build, …), th");
});

test("the form about a declared command shows the program first, and second what it reads", async () => {
  const form = await formOf("cmd_keep", { file: "out.sh", stdin: "#!/bin/sh\necho \u202eEVIL\n" });
  expect(withoutMachine(form)).toBe(`Run keep: /BIN/tee out.sh
with 23 bytes of input: #!/bin/sh\\x0aecho \\u202eEVIL\\x0a
Program and arguments: /BIN/tee out.sh
Working directory: /ROOT
Standard input: 23 bytes
| #!/bin/sh
| echo \\xe2\\x80\\xaeEVIL
Environment: ITS
Fence: ITS
Time limit: 120000 ms
Limits: ITS
Arguments of cmd_keep:
  {
    "stdin": "#!/bin/sh\\necho \\u202eEVIL\\n",
    "file": "out.sh"
  }
What it changes cannot be undone by the host.
id: ID@DIGEST
tool: cmd_keep, risk R3
made: TIME, expires: TIME
Note: Asked because it runs a program.
[Apply]
[Reject]`);
});

test("the form about a long command line shows its end too, where something could hide", async () => {
  const command = `echo ${"x ".repeat(200)}; echo HIDDEN > pwned.txt`;
  const [first = ""] = seenOf(await formOf("shell", { command })).lines.split("\n");
  expect(first).toMatch(/^Run echo x x .* x…x? ?x .*; echo HIDDEN > pwned\.txt$/);
  expect(first.length).toBeLessThan(200);
});
