/**
 * `examples/packs/ifc`: the domain tool of fusion-ai-host's page as it means it. "The command is fixed in the tool, only the
 * scoped arguments vary (convert_ifc shells out to IfcConvert)."
 */
import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtinTools, type LocalHost } from "ringfence";
import { ifcCommands, ifcPack, OTHER_COMMAND_TOOLS } from "../../../examples/packs/ifc/ifc-pack.ts";
import { REPOSITORY } from "../../../scripts/checks/read-sources.ts";
import { runExample } from "../../binary/run-example.ts";
import { Workspace } from "../../library/workspace.ts";

const MODEL = join(REPOSITORY, "examples", "packs", "ifc", "model", "wall.ifc");

/** A program of this name where no tool can write. */
function standIn(place: Workspace): string {
  const folder = join(place.path, "bin");
  mkdirSync(folder);
  const program = join(folder, "IfcConvert");
  const script = join(REPOSITORY, "test", "systems", "f", "fixtures", "ifc-convert.ts");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

async function openHost(place: Workspace, program: string = standIn(place)): Promise<LocalHost> {
  cpSync(MODEL, join(place.root, "wall.ifc"));
  return await place.open({
    tools: [...builtinTools],
    packs: [ifcPack],
    packSettings: { ifc: {} },
    commands: ifcCommands(program, [dirname(program), REPOSITORY, dirname(process.execPath)]),
    toolList: { deny: OTHER_COMMAND_TOOLS },
  });
}

describe.skipIf(process.platform !== "linux")("convert_ifc", () => {
  test("convert_ifc is listed among the tools, and no tool lets a caller choose a program", async () => {
    using place = new Workspace({});
    await using host = await openHost(place);
    const names = (await host.listTools()).map(({ name }) => name);
    expect(names.filter((name) => !builtinTools.some((tool) => tool.name === name))).toEqual(["convert_ifc"]);
  });

  test("convert_ifc is proposed with the program and its arguments, and reads the model when it is applied", async () => {
    using place = new Workspace({});
    await using host = await openHost(place);
    const { proposal } = await host.callTool("convert_ifc", { path: "wall.ifc", output: "wall.obj" });
    const shown = await host.proposals.get(proposal?.id ?? "");
    expect(shown.text).toContain("IfcConvert");
    expect(shown.text).toContain(join(place.root, "wall.obj"));
    expect(existsSync(join(place.root, "wall.obj"))).toBe(false);
    const { result } = await host.proposals.apply(proposal?.id ?? "");
    expect(result).toMatchObject({ output: "wall.obj", exit_code: 0, said: "1 products" });
    const made = readFileSync(join(place.root, "wall.obj"), "utf8");
    expect(made).toStartWith("o North wall\nv ");
    expect(made.match(/^f /gm)?.length).toBe(12);
  });

  const refused: [args: object, code: string][] = [
    [{ path: "../wall.ifc", output: "a.obj" }, "outside_scope"],
    [{ path: "wall.ifc", output: "../a.obj" }, "outside_scope"],
    [{ path: "wall.ifc", output: "a.exe" }, "invalid_input"],
    [{ path: "wall.ifc", output: "a.obj", program: "/bin/sh" }, "invalid_input"],
    [{ path: "none.ifc", output: "a.obj" }, "not_found"],
  ];
  test.each(refused)("convert_ifc refuses %j as %s", async (args, code) => {
    using place = new Workspace({});
    await using host = await openHost(place);
    expect((await host.callTool("convert_ifc", { ...args })).failure?.code).toBe(code as never);
  });

  test("convert_ifc says that a broken model cannot be converted", async () => {
    using place = new Workspace({ "broken.ifc": "no model\n" });
    await using host = await openHost(place);
    const { proposal } = await host.callTool("convert_ifc", { path: "broken.ifc", output: "broken.obj" });
    const { result } = await host.proposals.apply(proposal?.id ?? "");
    expect((result as { readonly text: string }).text).toStartWith("IfcConvert failed with exit code 1.");
  });

  test("convert_ifc without its program fails with what is missing", async () => {
    using place = new Workspace({});
    await using host = await openHost(place, "/nonexistent/IfcConvert");
    const { failure } = await host.callTool("convert_ifc", { path: "wall.ifc", output: "wall.obj" });
    expect([failure?.code, failure?.message]).toEqual(["not_found", expect.stringContaining("IfcConvert")]);
  });

  test("examples/packs/ifc lists convert_ifc beside the built-in tools, and says how to give a root", async () => {
    using place = new Workspace({});
    const main = join(REPOSITORY, "examples", "packs", "ifc", "main.ts");
    const without = await runExample([process.execPath, main]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("no root was given")]);
    const list = join(place.path, "list.json");
    writeFileSync(list, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    const folder = dirname(standIn(place));
    const line = `exec '${process.execPath}' '${main}' '${place.root}' < '${list}'`;
    const env = { XDG_STATE_HOME: place.stateDir, PATH: `${folder}:${process.env["PATH"]}` };
    const ran = await runExample(["/bin/sh", "-c", line], env);
    const { result } = JSON.parse(ran.stdout) as { result: { tools: { name: string }[] } };
    const names = result.tools.map(({ name }) => name);
    expect(names.slice(-1)).toEqual(["convert_ifc"]);
    expect(names).toContain("read_file");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
  });
});
