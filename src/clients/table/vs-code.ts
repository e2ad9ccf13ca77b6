/**
 * VS Code with Copilot. An agent that has our tools and no others is a file of the project or of the user, and the person chooses
 * it; the built-in agents keep theirs. The servers of a user stand in the folder of the default profile, agents in one that all
 * profiles read.
 */
import type { ClientFile, ClientRow, ClientScope, ClientPlaces, Setup } from "../client.ts";
import { serveArguments, SERVER } from "./entry.ts";

const CHOOSE = "Choose the agent `ringfence` in the chat: the built-in agents keep their own file tools and terminal.";

export const vsCode: ClientRow = {
  name: "vs-code",
  title: "VS Code",
  program: "code",
  marks: [".vscode", ".config/Code", "Library/Application Support/Code"],
  scopes: ["project", "user"],
  files: filesOf,
  ownTools: "off in the agent `ringfence`",
  showsForms: true,
  canTurnOff: false,
  stays: "its other agents keep their own file tools and terminal",
  clicks: {
    project: ["Open the folder in VS Code and trust the server ringfence when it asks.", CHOOSE],
    user: ["Trust the server ringfence when VS Code asks.", CHOOSE],
  },
};

function filesOf(setup: Setup, places: ClientPlaces, scope: ClientScope): readonly ClientFile[] {
  const { home, project } = places;
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const isProject = scope === "project";
  const text = `---
name: ringfence
description: Works on files through ringfence only. Written by ringfence init.
tools: ["ringfence/*"]
---

Read, search and change files with the tools of ringfence. You have no others.
`;
  return [
    {
      path: isProject ? `${project}/.vscode/mcp.json` : `${userFolder(places)}/mcp.json`,
      form: "json",
      edits: [
        {
          purpose: "entry",
          edit: { op: "object", path: ["servers", SERVER], value: { type: "stdio", command, args } },
        },
      ],
    },
    {
      path: `${isProject ? `${project}/.github` : `${home}/.copilot`}/agents/ringfence.agent.md`,
      form: "whole",
      purpose: "tools",
      text,
    },
  ];
}

function userFolder({ home, platform, variables }: ClientPlaces): string {
  const { APPDATA, XDG_CONFIG_HOME } = variables;
  const folders: Readonly<Record<string, string>> = {
    darwin: `${home}/Library/Application Support`,
    win32: APPDATA ?? `${home}/AppData/Roaming`,
  };
  return `${folders[platform] ?? XDG_CONFIG_HOME ?? `${home}/.config`}/Code/User`;
}
