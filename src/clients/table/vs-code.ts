/**
 * VS Code with Copilot. An agent that has our tools and no others is a file of the project, and the person chooses it; the
 * built-in agents keep theirs.
 */
import type { ClientFile, ClientRow, ClientScope, ClientPlaces, Setup } from "../client.ts";
import { serveArguments, SERVER } from "./entry.ts";

export const vsCode: ClientRow = {
  name: "vs-code",
  title: "VS Code",
  program: "code",
  marks: [".vscode", ".config/Code"],
  scopes: ["project"],
  files: filesOf,
  ownTools: "off in the agent `ringfence`",
  showsForms: true,
  canTurnOff: false,
  stays: "its other agents keep their own file tools and terminal",
  clicks: {
    project: [
      "Open the folder in VS Code and trust the server ringfence when it asks.",
      "Choose the agent `ringfence` in the chat: the built-in agents keep their own file tools and terminal.",
    ],
  },
};

function filesOf(setup: Setup, { project }: ClientPlaces, _scope: ClientScope): readonly ClientFile[] {
  const [command = "", ...args] = [...setup.program, ...serveArguments(setup)];
  const text = `---
name: ringfence
description: Works on files through ringfence only. Written by ringfence init.
tools: ["ringfence/*"]
---

Read, search and change files with the tools of ringfence. You have no others.
`;
  return [
    {
      path: `${project}/.vscode/mcp.json`,
      form: "json",
      edits: [
        {
          purpose: "entry",
          edit: { op: "object", path: ["servers", SERVER], value: { type: "stdio", command, args } },
        },
      ],
    },
    { path: `${project}/.github/agents/ringfence.agent.md`, form: "whole", purpose: "tools", text },
  ];
}
