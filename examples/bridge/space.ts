/**
 * What this client has and the host has not: a few notes on a desk. The tools are what it offers of them; what they do is
 * only here.
 */
type Members = Readonly<Record<string, unknown>>;

interface Note {
  readonly id: number;
  text: string;
  isDone: boolean;
}

const notes: Note[] = [
  { id: 1, text: "Read the gauge at the old pier", isDone: true },
  { id: 2, text: "Send the tide report", isDone: false },
];

const ACTIONS = ["add_note", "finish_note"];

/** As they are offered: `tools` of the extension's settings. */
export const tools: readonly Members[] = [
  {
    name: "space.snapshot",
    description: "The notes on the desk, and which of them are done.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  },
  {
    name: "space.list_actions",
    description: "What space.run_action can do.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  },
  {
    name: "space.run_action",
    description: "Changes the desk: add_note takes text, finish_note the id of a note.",
    inputSchema: {
      type: "object",
      properties: {
        action: { type: "string", enum: ACTIONS },
        text: { type: "string", description: "Of the new note", maxLength: 200 },
        id: { type: "integer", description: "Of the note that is done" },
      },
      required: ["action"],
      additionalProperties: false,
    },
  },
  {
    name: "space.context_request",
    description: "What the person at the desk is looking at right now.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  },
];

/** Carries one out. @returns a `CallToolResult` */
export function runTool(name: string, args: Members): Members {
  switch (name) {
    case "space.snapshot":
      return said(notes.map(({ id, text, isDone }) => `${id} [${isDone ? "x" : " "}] ${text}`).join("\n"));
    case "space.list_actions":
      return said(ACTIONS.join("\n"));
    case "space.run_action":
      return runAction(args);
    case "space.context_request":
      return said("The report of today, at its last line.");
    default:
      return failed(`there is no ${name} here`);
  }
}

function runAction({ action, text, id }: Members): Members {
  if (action === "add_note" && typeof text === "string") {
    notes.push({ id: notes.length + 1, text, isDone: false });
    return said(`Added note ${notes.length}.`);
  }
  const note = notes.find((one) => one.id === id);
  if (action !== "finish_note" || !note) return failed("add_note needs text, finish_note the id of a note");
  note.isDone = true;
  return said(`Note ${note.id} is done.`);
}

function said(text: string): Members {
  return { content: [{ type: "text", text }] };
}

function failed(text: string): Members {
  return { ...said(text), isError: true };
}
