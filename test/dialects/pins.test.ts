/**
 * What each dialect shows a client, pinned: every name, title, hint and schema, with a shell enabled. The pins are files
 * beside this one; `bun test test/dialects/pins.test.ts --update-snapshots` writes them anew, and the diff is looked at.
 */
import { describe, expect, test } from "bun:test";
import { createRegistry, type ToolListOptions } from "../../src/contract/index.ts";
import { openDialect } from "../../src/dialects/index.ts";
import { DIALECTS } from "../../src/config/index.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
import { openTestHost, type Json } from "../host/in-memory-host.ts";

const NAMES: Readonly<Record<string, string>> = {
  claude: "Read Write Edit MultiEdit Glob Grep LS Bash BashOutput KillShell await_review",
  codex: "apply_patch shell shell_command read_file list_dir grep_files view_image await_review",
  gemini:
    "read_file write_file replace grep_search search_file_content list_directory glob read_many_files run_shell_command await_review",
  filesystem:
    "read_file read_text_file read_media_file read_multiple_files write_file edit_file create_directory list_directory " +
    "list_directory_with_sizes directory_tree move_file search_files get_file_info list_allowed_directories",
  flynn:
    "file.read file.write file.edit file.list shell.exec process.start process.status process.output process.kill process.list system.info await_review",
  "flynn-plain":
    "file_read file_write file_edit file_list shell_exec process_start process_status process_output process_kill process_list system_info await_review",
  construct: "read write edit bash glob grep listdir await_review",
  "construct-operator": "read_file write_file edit_file bash glob grep list_dir await_review",
  clarvis:
    "read_file read_image read_files write_file edit_file multi_edit apply_patch replace list_dir glob grep diff bash " +
    "monitor_start monitor_poll monitor_stop monitor_list move copy mkdir remove file_stat tree",
};

/** Tools of the reference server that need a shell; its other tools are always there. */
const SHELL =
  /^(?:Bash|BashOutput|KillShell|shell|shell_command|run_shell_command|bash|shell[._]exec|process[._]\w+|monitor_\w+)$/;

const OPTIONS: ToolListOptions = { structured: false, showsAtOnce: false };
type Name = Exclude<(typeof DIALECTS)[number], "ringfence">;
const dialects = DIALECTS.filter((name): name is Name => name !== "ringfence");

test("the table has these dialects", () => {
  expect(DIALECTS).toEqual(["ringfence", ...(Object.keys(NAMES) as Name[])]);
});

describe.each(dialects)("%s", (name) => {
  const open = async () => await openDialect(name, createRegistry([...builtinTools, ...commandTools({}, true)]));

  test("the names, in their order", async () => {
    expect((await open()).list(OPTIONS).map((tool) => tool["name"])).toEqual((NAMES[name] ?? "").split(" "));
  });

  test("everything that a client sees in a dialect is what it was", async () => {
    const tools = (await open()).list({ ...OPTIONS }).map(({ _meta, ...tool }) => tool);
    expect(JSON.stringify(tools, null, 1)).toMatchSnapshot();
  });

  test("descriptions and the words in the instructions are short", async () => {
    const dialect = await open();
    expect(dialect.about.length).toBeLessThan(350);
    for (const { description } of dialect.list(OPTIONS)) expect(String(description).length).toBeLessThan(1000);
  });

  test("what a host does not have is not shown", async () => {
    await using host = openTestHost({ config: { dialect: name } });
    const shown = (await host.request("tools/list")).result.tools as Json[];
    expect(shown.map((tool) => tool.name)).toEqual((NAMES[name] ?? "").split(" ").filter((one) => !SHELL.test(one)));
  });

  test("a profile that only reads leaves what reads", async () => {
    await using host = openTestHost({ config: { dialect: name, readOnly: true } });
    const shown = (await host.request("tools/list")).result.tools as Json[];
    expect(shown.every((tool) => tool.annotations.readOnlyHint)).toBe(true);
    expect(shown.length).toBeGreaterThan(0);
  });
});
