/**
 * A person sees all that a waiting call would carry out: each argument whole, standard input, the directory, the
 * environment, the limits. What was swapped in the state folder is not run, and no other process shows it as something else.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type CallResult } from "../binary/serve-process.ts";
import { until } from "../waits/until.ts";
import { runRingfence } from "./run-ringfence.ts";

let place: Place;
let host: ServeProcess;
let lastId = 0;

const COMMANDS = {
  keep: {
    description: "Keeps a text.",
    program: "tee",
    args: ["{file}"],
    parameters: { file: { type: "string" } },
    stdin: "given",
    environment: { KEPT: "as it is", KEEP_TOKEN: "very secret" },
    timeout_ms: 70_000,
  },
};

beforeEach(async () => {
  place = new Place();
  const config = join(place.path, "config.json");
  writeFileSync(config, JSON.stringify({ shell: { enabled: true }, commands: COMMANDS }));
  host = await ServeProcess.start(place, { args: ["--config", config] });
  const hello = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo: ME };
  await host.ask("hello", "initialize", hello);
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

const ME = { name: "test", version: "1" };

interface Asked {
  readonly message: string;
  readonly decisions: readonly string[];
  readonly answer: (content: object) => Promise<CallResult>;
}

async function ask(name: string, given: object): Promise<Asked> {
  const id = `call ${++lastId}`;
  const before = host.messages.length;
  host.call(id, name, given);
  const form = await until("the form", () =>
    host.messages.slice(before).find(({ method }) => method === "elicitation/create"),
  );
  const { message, requestedSchema } = form.params as {
    message: string;
    requestedSchema: { properties: { decision: { oneOf: { const: string }[] } } };
  };
  return {
    message,
    decisions: requestedSchema.properties.decision.oneOf.map((one) => one.const),
    answer: async (content) => {
      host.send({ jsonrpc: "2.0", id: form.id, result: { action: "accept", content } });
      return (await host.answer(id)).result ?? {};
    },
  };
}

const idIn = (result: CallResult): string => result._meta?.["dev.ringfence/proposal"]?.id ?? "";

async function show(id: string, ...more: string[]): Promise<string> {
  const args = ["proposals", "show", id, ...more, "--state-dir", place.stateDir];
  return (await runRingfence(place, args)).stdout;
}

const names = Array.from({ length: 300 }, (_, at) => `lint-file-${at}.ts`).join(" ");

test("a long command line is shown to its end, in the form and by show, and proven by the record", async () => {
  const command = `echo checking ${names}; echo HIDDEN > pwned.txt`;
  const { message, answer } = await ask("shell", { command });
  expect(message).toContain("echo HIDDEN > pwned.txt");
  const result = await answer({});
  const shown = await show(idIn(result));
  expect(shown).toContain("Program and arguments: ");
  // In the first line, as the program's argument, and as the tool's.
  expect(shown.split("echo HIDDEN > pwned.txt").length - 1).toBe(3);
  expect(result.content?.at(-1)?.text?.length).toBeLessThan(6000);
  const again = await ask("shell", { command });
  expect((await again.answer({ decision: "apply" })).content?.at(-1)?.text).toContain("checking");
  await host.close();
  const folder = join(place.stateDir, "audit");
  const record = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const run = record
    .join("")
    .split("\n")
    .find((line) => line.includes('"event":"run"'));
  const sha256 = new Bun.CryptoHasher("sha256").update(command).digest("hex");
  expect(JSON.parse(run ?? "{}").whole).toEqual({ bytes: command.length, sha256 });
});

test("standard input, the environment and the limits are shown, and the value of a token is not", async () => {
  const stdin = "#!/bin/sh\necho \u202eEVIL\n";
  const { message, answer } = await ask("cmd_keep", { file: "out.sh", stdin });
  const lines = message.split("\n");
  expect(lines).toContain("| #!/bin/sh");
  expect(lines).toContain("| echo \\xe2\\x80\\xaeEVIL");
  expect(lines).toContain(`Working directory: ${place.root}`);
  expect(lines).toContain("  KEPT=as it is");
  expect(lines).toContain("  KEEP_TOKEN=<not shown, 11 characters>");
  expect(lines).toContain("  HOME=<its temporary folder>");
  expect(lines).toContain("Time limit: 70000 ms");
  expect(message).toMatch(/\nLimits: cpu_seconds 3600, descriptors \d+, /);
  expect(message).toContain(`  reads and writes ${place.root}`);
  const result = await answer({});
  expect(JSON.stringify(result)).not.toContain("very secret");
  const shown = await show(idIn(result));
  expect(shown.slice(shown.indexOf("Program and")).trimEnd()).toBe(
    message.slice(message.indexOf("Program and")).replace(/\nNote: Asked because .*$/s, ""),
  );
  expect(shown).not.toContain("very secret");
  const applied = await (await ask("cmd_keep", { file: "out.sh", stdin })).answer({ decision: "apply" });
  expect(applied["isError"]).toBeUndefined();
  expect(readFileSync(join(place.root, "out.sh"), "utf8")).toBe(stdin);
});

test("a command that does not fit into a form cannot be applied in one", async () => {
  const stdin = `${"a\n".repeat(40_000)}THE END\n`;
  const { message, decisions, answer } = await ask("cmd_keep", { file: "out.txt", stdin });
  expect(decisions).toEqual(["wait", "reject"]);
  expect(message).toContain("A form cannot show all of it");
  const id = idIn(await answer({ decision: "apply" }));
  expect(await show(id)).not.toContain("| THE END");
  expect(await show(id, "--full")).toContain("| THE END\n");
  expect(existsSync(join(place.root, "out.txt"))).toBe(false);
});

async function forged(): Promise<{ id: string; label: string }> {
  const result = await (await ask("shell", { command: "echo one > a.txt" })).answer({});
  const id = idIn(result);
  const file = join(place.stateDir, "proposals", `${id}.json`);
  const proposal = JSON.parse(readFileSync(file, "utf8"));
  proposal.resume.input.command = "echo two > b.txt";
  writeFileSync(file, JSON.stringify(proposal));
  return { id, label: `${id}@${result._meta?.["dev.ringfence/proposal"]?.digest}` };
}

describe("a call that was swapped in the state folder", () => {
  test("a call that was swapped in the state folder is not run, by its id, by what was shown, nor by what another process shows of it", async () => {
    const { id, label } = await forged();
    const elsewhere = /^id: (\S+)$/m.exec(await show(id))?.[1] ?? "";
    expect(elsewhere).toMatch(/^p_.*@[0-9a-f]{40}$/);
    for (const one of [id, label, elsewhere]) {
      const { error } = await host.ask(`apply ${one}`, "ringfence/proposals/apply", { id: one });
      expect(error?.data).toMatchObject({ code: "conflict" });
    }
    expect(readdirSync(place.root)).toEqual([]);
  });

  test("a call that was swapped in the state folder is shown by the host that has the tool as what it would run", async () => {
    const { id } = await forged();
    const { result } = await host.ask("get", "ringfence/proposals/get", { id });
    expect(result?.["text"]).toContain('-c "echo two > b.txt"');
    expect(result?.["text"]).not.toContain("echo one");
    const label = `${id}@${String(result?.["digest"])}`;
    const { result: applied } = await host.ask("apply", "ringfence/proposals/apply", { id: label });
    expect(applied?.["status"]).toBe("applied");
    expect(readdirSync(place.root)).toEqual(["b.txt"]);
  });
});
