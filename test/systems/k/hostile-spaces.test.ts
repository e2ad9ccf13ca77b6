/**
 * Spaces that somebody else has written to do harm: each is named and left out, the host starts, the others work, and nothing
 * outside of a space is started.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../waits/until.ts";
import { DEPLOY, laySpace, openSpaceHost, SAY, type SpaceHost } from "./space-folder.ts";

const GOOD = { "tools/deploy.yaml": DEPLOY, "tools/deploy.sh": SAY };
const tool = (command: string): string => `description: x\ncommand: ${JSON.stringify(command)}\n`;

/** Each folder, what lies in it, and what is said of it. */
const BROKEN: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, why: string]>> = {
  absolute: [{ "tools/x.yaml": tool("/bin/sh -c id") }, '"/bin/sh", which is not in the space'],
  above: [{ "tools/x.yaml": tool("../x.sh") }, '"../x.sh", which is not in the space'],
  interpreted: [{ "tools/x.yaml": tool("sh ../../good/tools/deploy.sh") }, "which is not in the space"],
  missing: [{ "tools/x.yaml": tool("./gone.sh") }, '"./gone.sh" is not there'],
  pipe: [{ "tools/x.yaml": tool("cat x | sh") }, '"|", which needs a shell'],
  substitution: [{ "tools/x.yaml": tool('echo "$(id)"') }, "which needs a shell"],
  inside: [{ "tools/x.yaml": tool("./x.sh a{{b}}c") }, "is a whole word"],
  unknown: [{ "tools/x.yaml": tool("./x.sh {{b}}"), "tools/x.sh": SAY }, "{{b}}, which is no parameter"],
  program: [{ "tools/x.yaml": `${tool("{{b}}")}parameters: [{name: b}]\n` }, "its program may not be a parameter"],
  words: [{ "tools/x.yaml": "- a\n- b\n" }, "it is wrong"],
  undescribed: [{ "tools/x.yaml": "name: X\n" }, "description is wrong: it is missing, and must be a string"],
  described: [{ "tools/x.yaml": "description: 7\n" }, "description is wrong: it must be a string, not a number"],
  unnamed: [
    { "tools/x.yaml": "description: x\nparameters: [{type: string}]\n" },
    "parameters.0.name is wrong: it is missing",
  ],
  misnamed: [
    { "tools/x.yaml": "description: x\nparameters: [{name: a-b}]\n" },
    "parameters.0.name is wrong: it is no name of letters, digits and _",
  ],
  variable: [
    { "tools/x.yaml": "description: x\nenvironment: {A-B: c}\n" },
    "environment.A-B is wrong: its name cannot",
  ],
  kind: [
    { "tools/x.yaml": "description: x\nparameters: {a: {type: text}}\n" },
    'parameters.a.type is wrong: it must be one of "string"',
  ],
  slow: [{ "tools/x.yaml": "description: x\ntimeout: 0\n" }, "timeout is wrong: it must be more than 0"],
  syntax: [{ "tools/x.yaml": "a: [b\n" }, "it is not YAML"],
  bomb: [{ "tools/x.yaml": bomb() }, "tools/x.yaml: "],
  deep: [{ "tools/x.yaml": `description: ${"[".repeat(50_000)}` }, "tools/x.yaml: "],
  nul: [{ "tools/x.yaml": "description: a\0b\n" }, "it holds a NUL byte"],
  front: [{ "agent/tools/x.md": "# No front matter\n" }, "between two lines of ---"],
  huge: [{ "manifest.json": `{"id":"huge","x":"${"x".repeat(10_000_000)}"}` }, "at most 262144 are read"],
  dots: [{ ...GOOD, "manifest.json": `{"id":".."}` }, 'the id ".." is not made of'],
  slash: [{ ...GOOD, "manifest.json": `{"id":"a/b"}` }, 'the id "a/b" is not made of'],
  colon: [{ ...GOOD, "manifest.json": `{"id":"a:b"}` }, 'the id "a:b" is not made of'],
  zero: [{ ...GOOD, "manifest.json": `{"id":"a\\u0000b"}` }, "is not made of"],
  number: [{ ...GOOD, "manifest.json": `{"id":7}` }, "the id 7 is not made of"],
  list: [{ ...GOOD, "manifest.json": "[]" }, "it is no object"],
  twice: [{ ...GOOD, "manifest.json": `{"id":"good"}` }, 'has the id "good" already'],
};

/** Ten times ten times ten ... entries of a few lines. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, level) => {
    const one = level === 0 ? `"x"` : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 10 }, () => one).join(", ")}]`;
  });
  return `description: x\n${lines.join("\n")}\n`;
}

describe.skipIf(process.platform !== "linux")("a host with hostile spaces", () => {
  let opened: SpaceHost;
  const views = async () =>
    (await opened.host.request("ringfence/spaces/list")).result.spaces as {
      readonly folder: string;
      readonly problems: readonly string[];
    }[];

  beforeAll(async () => {
    opened = await openSpaceHost((spaces) => {
      laySpace(join(spaces, "a-good"), { ...GOOD, "manifest.json": `{"id":"good"}` });
      for (const [name, [files]] of Object.entries(BROKEN)) laySpace(join(spaces, `x-${name}`), files);
      laySpace(join(spaces, "x-link"), { "tools/x.yaml": tool("./x.sh") });
      writeFileSync(join(spaces, "..", "evil.sh"), "#!/bin/sh\necho evil\n", { mode: 0o755 });
      symlinkSync("../../../evil.sh", join(spaces, "x-link/tools/x.sh"));
      laySpace(join(spaces, "x-plain"), { "tools/x.yaml": tool("./x.sh") });
      writeFileSync(join(spaces, "x-plain/tools/x.sh"), "#!/bin/sh\n", { mode: 0o644 });
      mkdirSync(join(spaces, "x-fifo/tools"), { recursive: true });
      Bun.spawnSync(["mkfifo", join(spaces, "x-fifo/tools/x.yaml")]);
    });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
  });

  test("the host starts, and only the good space has tools", async () => {
    expect(await opened.names()).toEqual(["space_good_deploy"]);
    expect((await opened.host.call("space:good:deploy", { branch: "a" })).text).toContain("[a]");
  });

  test.each([
    ...Object.entries(BROKEN).map(([name, [, why]]) => [name, why] as const),
    ["link", "leads out of the space"] as const,
    ["plain", "may not be executed"] as const,
    ["fifo", "it is no regular file"] as const,
  ])("a broken space is named with the reason: %s", async (name, why) => {
    const view = (await views()).find(({ folder }) => folder.endsWith(`/x-${name}`));
    expect(view?.problems.join("\n")).toContain(why);
    expect((await opened.host.call("system_info", {})).text).toContain(`x-${name}`);
  });
});

describe.skipIf(process.platform !== "linux")("a space that changes under a host", () => {
  test("the launcher refuses a script that is not the one that a person approved", async () => {
    await using one = await openSpaceHost((spaces) => laySpace(join(spaces, "good"), GOOD));
    expect(await one.names()).toEqual(["space_good_deploy"]);
    writeFileSync(join(one.spaces, "good/tools/deploy.sh"), "#!/bin/sh\necho evil\n");
    const { failure, text } = await one.host.call("space:good:deploy", { branch: "a" });
    // The host may have seen the change before.
    expect(failure?.message ?? text).toContain("it has changed since a person approved it");
  });

  test("a space that is removed while its tool runs lets the call end", async () => {
    await using one = await openSpaceHost((spaces) =>
      laySpace(join(spaces, "slow"), {
        "tools/wait.yaml": "description: waits\n",
        "tools/wait.sh": `#!/bin/sh\ntouch begun\nwhile [ ! -e go ]; do sleep 0.05; done\necho done\n`,
      }),
    );
    expect(await one.names()).toEqual(["space_slow_wait"]);
    const call = one.host.call("space:slow:wait", {});
    await until("it runs", () => Bun.file(join(one.host.root, "begun")).exists());
    rmSync(join(one.spaces, "slow"), { recursive: true });
    await one.host.request("ringfence/spaces/reload");
    expect(await one.names()).toEqual([]);
    writeFileSync(join(one.host.root, "go"), "");
    expect((await call).text).toContain("done");
  });

  test("a space in a writable root is left out, because a tool could change what is started", async () => {
    await using one = await openSpaceHost(() => undefined);
    const inRoot = join(one.host.root, "mine");
    laySpace(inRoot, GOOD);
    await using other = await openSpaceHost(() => undefined, {
      config: { spaces: [inRoot], roots: [one.host.root] },
    });
    expect(await other.names()).toEqual([]);
    const { spaces } = (await other.host.request("ringfence/spaces/list")).result;
    expect(spaces[0].problems[0]).toContain("it lies in the writable root");
  });
});

test.skipIf(process.platform !== "linux")(
  "two hundred spaces with clashing ids and names are there but for the clashes, which are named",
  async () => {
    await using opened = await openSpaceHost((spaces) => {
      for (let index = 0; index < 200; index++) {
        const id = index % 4 === 3 ? "same" : `s${index}`;
        laySpace(join(spaces, `space-${String(index).padStart(3, "0")}`), {
          ...GOOD,
          "manifest.json": JSON.stringify({ id }),
        });
      }
    });
    const { spaces } = (await opened.host.request("ringfence/spaces/list")).result;
    const out = (spaces as { id: string; problems: string[] }[]).filter(({ id }) => id === "");
    expect(spaces).toHaveLength(200);
    expect(out).toHaveLength(49);
    expect(out.every(({ problems }) => problems[0]?.includes('has the id "same" already'))).toBe(true);
    const first = (await opened.host.modern("tools/list")).result;
    const second = (await opened.host.modern("tools/list", { cursor: first.nextCursor })).result;
    const names = [...first.tools, ...second.tools].map(({ name }: { name: string }) => name);
    expect(names.filter((name) => name.startsWith("space_"))).toHaveLength(151);
  },
);
