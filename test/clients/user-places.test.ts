/**
 * Where the files of a user lie on each system, as the table of clients has it: no test can write there but on its own system.
 */
import { expect, test } from "bun:test";
import { CLIENTS, type ClientPlaces, type Setup } from "../../src/clients/index.ts";

const SETUP: Setup = { program: ["ringfence"], roots: ["/p"], flags: [], guards: false, trustsProject: false };

function placesOn(platform: string, variables: ClientPlaces["variables"] = {}): ClientPlaces {
  return { home: "/h", project: "/p", prefix: "", platform, variables };
}

const PLACES: [where: string, places: ClientPlaces, path: string][] = [
  ["Linux", placesOn("linux"), "/h/.config/Code/User/mcp.json"],
  ["Linux with XDG_CONFIG_HOME", placesOn("linux", { XDG_CONFIG_HOME: "/x" }), "/x/Code/User/mcp.json"],
  ["macOS", placesOn("darwin"), "/h/Library/Application Support/Code/User/mcp.json"],
  ["Windows", placesOn("win32", { APPDATA: "C:/Roaming" }), "C:/Roaming/Code/User/mcp.json"],
];

test.each(PLACES)("the servers of a user of VS Code stand in the default profile on %s", (_where, places, path) => {
  const row = CLIENTS.find(({ name }) => name === "vs-code");
  expect(row?.files(SETUP, places, "user").map((file) => file.path)).toEqual([
    path,
    "/h/.copilot/agents/ringfence.agent.md",
  ]);
});
