/**
 * Space tools by the operator's words: "Spaces can provide custom tools via their tools/ directory", "Space tools are registered
 * with the space:{id}: prefix and removed when the space is unloaded", and the form of its tool schema.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { HandClock } from "../../host/hand-clock.ts";
import { until } from "../../waits/until.ts";
import { DEPLOY, laySpace, openSpaceHost, SAY } from "./space-folder.ts";

const MIGRATE = `---
id: migrate-db
name: "Run Database Migration"
description: "Executes pending database migrations"
category: "database"
parameters:
  - name: direction
    type: "string"
    enum: ["up", "down"]
    description: "Migration direction"
    required: true
  - name: steps
    type: "number"
    description: "Number of migrations to apply"
    required: false
    default: 1
  - name: wait
    type: boolean
    description: "Not in the command"
command: "sh scripts/migrate.sh --direction {{direction}} --steps={{steps}}"
timeout: 120
confirm: true
environment:
  MIGRATION_DIR: "db/migrations"
---

# Database Migration
`;

function twoSpaces(spaces: string): void {
  laySpace(join(spaces, "my-space"), { "tools/deploy.yaml": DEPLOY, "tools/deploy.sh": SAY });
  laySpace(join(spaces, "folder"), {
    "manifest.json": `{"id": "blog", "name": "Blog Engine"}`,
    "tools/deploy.yaml": DEPLOY,
    "tools/deploy.sh": `#!/bin/sh\necho blog "$1"\n`,
    "agent/tools/migrate-db.md": MIGRATE,
    "scripts/migrate.sh": `${SAY}echo "$MIGRATION_DIR"\n`,
  });
}

describe.skipIf(process.platform !== "linux")("the spaces of a host", () => {
  test("deploy.yaml beside deploy.sh is called as space_my_space_deploy and as space:my-space:deploy", async () => {
    await using opened = await openSpaceHost(twoSpaces);
    const { host } = opened;
    expect(await opened.names()).toEqual(["space_blog_deploy", "space_blog_migrate_db", "space_my_space_deploy"]);
    const answer = await host.call("space_my_space_deploy", { branch: "main" });
    expect(answer.text).toMatch(/^exit code 0, .*\n\[main\]/);
    expect((await host.call("space:my-space:deploy", { branch: "main" })).text).toContain("[main]");
  });

  test("a tool of one name in two spaces is called under the id of each", async () => {
    await using opened = await openSpaceHost(twoSpaces);
    expect((await opened.host.call("space:blog:deploy", { branch: "x" })).text).toContain("blog x");
    expect((await opened.host.call("space:my-space:deploy", { branch: "x" })).text).toContain("[x]");
  });

  test("a parameter in the command is one whole argument, whatever is in its value", async () => {
    await using opened = await openSpaceHost(twoSpaces);
    for (const branch of ["a b  c", "$(id)", "`id`; rm -rf /", "'\"", "*", "a\nb", "{{branch}}", "{branch}"])
      expect((await opened.host.call("space_my_space_deploy", { branch })).text).toContain(`\n[${branch}]`);
    const { failure } = await opened.host.call("space_my_space_deploy", { branch: "--force" });
    expect(failure?.message).toContain("would be read as an option");
  });

  test("agent/tools/*.md gives a tool with enum, default, environment and a script of the space", async () => {
    await using opened = await openSpaceHost(twoSpaces);
    const { tools } = (await opened.host.modern("tools/list")).result;
    const tool = tools.find(({ name }: { name: string }) => name === "space_blog_migrate_db");
    expect(tool).toMatchObject({
      title: "Run Database Migration",
      inputSchema: {
        required: ["direction"],
        properties: {
          direction: { enum: ["up", "down"], description: "Migration direction" },
          steps: { type: "number", description: "Number of migrations to apply. Default 1." },
          wait: { type: "boolean" },
        },
      },
    });
    const { text } = await opened.host.call("space:blog:migrate-db", { direction: "up", wait: true });
    expect(text).toContain("[--direction]\n[up]\n[--steps=1]\ndb/migrations");
    const { failure } = await opened.host.call("space:blog:migrate-db", { direction: "left" });
    expect(failure?.code).toBe("invalid_input");
  });

  test("a tool with confirm is asked about even where edits are accepted", async () => {
    await using opened = await openSpaceHost(twoSpaces, { config: { mode: "accept_edits" } });
    const answer = await opened.host.call("space:blog:migrate-db", { direction: "up" });
    expect(answer.proposal).toBeDefined();
    expect(JSON.stringify(await opened.host.apply(answer))).toContain("[--direction]");
  });

  test("a space that appears, is approved, changes and goes changes the list of a running host", async () => {
    const clock = new HandClock();
    await using opened = await openSpaceHost(() => undefined, { clock });
    const { host, spaces } = opened;
    const next = async (what: string, expected: string[]): Promise<void> => {
      await until(what, async () => {
        clock.pass(1000);
        return Bun.deepEquals(await opened.names(), expected);
      });
    };
    expect(await opened.names()).toEqual([]);
    laySpace(join(spaces, "late"), { "tools/deploy.yaml": DEPLOY, "tools/deploy.sh": SAY });
    await until("the space is seen", async () => {
      clock.pass(1000);
      return (await host.request("ringfence/spaces/list")).result.spaces.length === 1;
    });
    expect(await opened.names()).toEqual([]);
    await opened.approve();
    await next("its tool is there", ["space_late_deploy"]);
    expect((await host.call("space:late:deploy", { branch: "a" })).text).toContain("[a]");
    writeFileSync(join(spaces, "late/tools/deploy.sh"), "#!/bin/sh\necho other\n");
    await next("its tool waits for a person", []);
    await opened.approve();
    await next("its tool is there again", ["space_late_deploy"]);
    expect((await host.call("space:late:deploy", { branch: "a" })).text).toContain("other");
    rmSync(join(spaces, "late"), { recursive: true });
    await next("its tool is gone", []);
    expect((await host.request("tools/call", { name: "space_late_deploy", arguments: {} })).error.code).toBe(-32602);
  });

  test("ringfence/spaces/unload removes the tools of a space and load brings them back", async () => {
    await using opened = await openSpaceHost(twoSpaces);
    const { host } = opened;
    expect((await host.request("ringfence/spaces/unload", { id: "blog" })).result).toEqual({
      added: [],
      removed: ["space_blog_deploy", "space_blog_migrate_db"],
      refused: [],
    });
    expect(await opened.names()).toEqual(["space_my_space_deploy"]);
    expect((await host.request("ringfence/spaces/load", { id: "blog" })).result.added).toHaveLength(2);
    expect((await host.request("ringfence/spaces/load", { id: "nothing" })).error.data).toMatchObject({
      code: "not_found",
      candidates: ["blog", "my-space"],
    });
  });

  test("a tool that nobody has approved is not there, and system_info names the command for it", async () => {
    await using opened = await openSpaceHost(twoSpaces, { isApproved: false });
    expect(await opened.names()).toEqual([]);
    const { text } = await opened.host.call("system_info", {});
    expect(text).toContain("space my-space");
    expect(text).toContain("deploy waits for a person: `ringfence");
  });
});
