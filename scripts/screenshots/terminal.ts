/**
 * A program of its own: pictures of `ringfence review` on a terminal, for docs/review.md. A real host proposes, a person at a
 * real terminal (tmux) looks, and what the terminal shows is drawn: `bun scripts/screenshots/terminal.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServeProcess } from "../../test/binary/serve-process.ts";
import { ReviewPlace } from "../../test/cli/screen/review-place.ts";
import { TmuxPerson } from "../../test/cli/screen/tmux-person.ts";
import { REPOSITORY } from "../checks/read-sources.ts";
import { DARK, LIGHT, terminalSvg, type Palette } from "./terminal-svg.ts";

const [COLUMNS, ROWS] = [130, 30];

const BEFORE = `import { readConfig } from "./config.ts";

export interface Limits {
  readonly requests: number;
  readonly perSeconds: number;
}

export function limitsOf(path: string): Limits {
  const config = readConfig(path);
  return { requests: config.requests, perSeconds: 60 };
}

${Array.from({ length: 20 }, (_, at) => `// ${at + 13}\n`).join("")}
export function isOver(count: number, limits: Limits): boolean {
  return count > limits.requests;
}
`;

const EDITS = [
  { old_text: "config.requests, perSeconds: 60", new_text: "config.requests, perSeconds: config.seconds ?? 60" },
  { old_text: "count > limits.requests", new_text: "count >= limits.requests" },
];

using place = new ReviewPlace();
place.write("limits.ts", BEFORE);
place.write("package-lock.json", "{}\n");
await using one = await ServeProcess.start(place);
await using two = await ServeProcess.start(place);
for (const [host, name] of [
  [one, "claude-code"],
  [two, "codex"],
] as const) {
  const clientInfo = { name, version: "1" };
  host.request(100, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await host.find(({ id }) => id === 100);
  host.send({ jsonrpc: "2.0", method: "notifications/initialized" });
}
await takePicture("review-terminal.svg", "dark", DARK, async (person) => {
  one.call(1, "edit_file", { path: "limits.ts", edits: EDITS });
  await person.sees("hunk 1 of 2");
  one.call(2, "write_file", {
    path: "docs/limits.md",
    content: "# Limits\n\nPer minute, unless `seconds` says otherwise.\n",
  });
  await person.sees("2 waiting");
  two.call(1, "delete", { path: "package-lock.json" });
  await person.sees("3 waiting");
  person.press("]", "]", "Space");
  await person.sees("[ ] hunk 2 of 2");
  person.press("j", "j", "j", "j", "j", "c");
  await person.sees("What do you say about");
  person.type("One too many: the limit itself is allowed.");
  person.press("Enter");
  await person.sees("» One too many");
});
await takePicture("review-terminal-always.svg", "light", LIGHT, async (person) => {
  await person.decide("g", "hunk 2 of 2");
  await person.sees("Always allow?");
  person.press("r");
  await person.sees("it would have allowed");
});

async function takePicture(
  name: string,
  theme: "dark" | "light",
  palette: Palette,
  act: (person: TmuxPerson) => Promise<void>,
): Promise<void> {
  const options = { columns: COLUMNS, rows: ROWS, args: ["--theme", theme], env: { COLORTERM: "truecolor" } };
  using person = await TmuxPerson.start(place, options);
  await person.sees("ringfence review:");
  await act(person);
  await person.settled();
  // A reader has another folder.
  const rows = person.styledScreen.replaceAll(place.root, "/srv/shop").split("\n").slice(0, ROWS);
  const path = join(REPOSITORY, "docs", "images", name);
  writeFileSync(path, terminalSvg(rows, COLUMNS, palette, `ringfence review: ${name}`));
  console.error(path);
}
