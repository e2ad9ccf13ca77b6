/**
 * The operator's words about MCP servers: names as `brave_search`, calls as `mcp:{serverName}:{toolName}`, and
 * "env: map, Environment variables (supports ${VAR} expansion)"; "The operator never blocks on a failed MCP server."
 */
import { describe, expect, test } from "bun:test";
import { loadCommands } from "../../../src/config/index.ts";
import { hostile, openUpstreamHost, toolNames } from "../../upstream/upstream-host.ts";

describe.skipIf(process.platform !== "linux")("other MCP servers in the operator's words", () => {
  test("a server with an underscore or a dash in its name is called as mcp:brave_search:echo", async () => {
    await using host = await openUpstreamHost({ brave_search: hostile("ok"), "my-git": hostile("ok") });
    expect(await toolNames(host)).toContain("mcp_brave_search_echo");
    expect(await toolNames(host)).toContain("mcp_my_git_echo");
    const config = { text: "hello" };
    expect((await host.call("mcp:brave_search:echo", config)).text).toBe("hello");
    expect((await host.call("mcp:my-git:echo", config)).text).toBe("hello");
  });

  test("a variable of the host fills ${VAR}, and one that is not set fails that server alone, by name", async () => {
    const environment = { HOME_OF_USER: "${HOME}/x" };
    const missing = { ...environment, GITHUB_TOKEN: "${NO_SUCH_VARIABLE_AT_ALL}" };
    await using host = await openUpstreamHost(
      {
        good: hostile("ok", "", { environment, read_tools: ["*"] }),
        bad: hostile("ok", "", { environment: missing, read_tools: ["*"] }),
      },
      { before: { good: hostile("ok"), bad: hostile("ok") } },
    );
    expect((await host.call("mcp:good:echo", { text: "hello" })).text).toBe("hello");
    const { failure } = await host.call("mcp:bad:echo", { text: "hello" });
    expect(failure?.message).toContain(
      'Cannot start the MCP server "bad": the variable NO_SUCH_VARIABLE_AT_ALL is not set',
    );
    expect((await host.call("mcp:good:echo", { text: "again" })).text).toBe("again");
  });
});

test("a server whose name continues another one's is refused, because rules go by the beginning of names", async () => {
  const command = "/bin/true";
  for (const names of [
    ["git", "git_hub"],
    ["git-hub", "git"],
    ["a-b", "a_b"],
  ]) {
    const upstream = Object.fromEntries(names.map((name) => [name, { command }]));
    await expect(loadCommands({ roots: [], upstream })).rejects.toMatchObject({ code: "conflict" });
  }
  await expect(loadCommands({ roots: [], upstream: { git: { command }, github: { command } } })).resolves.toBeDefined();
});
