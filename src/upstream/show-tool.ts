/**
 * One tool of a server as lines for the person who approves it: the words that a model will get, in the form in which it
 * gets them, and beside them what models never get.
 *
 * Usual mistake: to show what the server said instead. What cannot be seen there a model would read.
 */
import { Failure } from "../base/index.ts";
import { foreignWords, showUnseen, unseenIn } from "../contract/index.ts";
import type { ListedTool } from "./listed-tools.ts";

const MAX_UNSEEN_CHARS = 1000;

/** "" for one that is not there. A changed word stands in a line of its own. */
export function showTool(tool: ListedTool | undefined): string {
  if (!tool) return "";
  const { name, title = "", description = "", annotations = {} } = tool;
  const unseen = unseenIn(`${title}${description}`);
  return [
    ...wordsOf(tool),
    `hints of the server: ${showUnseen(JSON.stringify(annotations))}`,
    ...(unseen === "" ? [] : [`left out of the words of ${name}: ${unseen.slice(0, MAX_UNSEEN_CHARS)}`]),
    "",
  ].join("\n");
}

function wordsOf(tool: ListedTool): string[] {
  try {
    const { title, description, inputSchema } = foreignWords(tool.name, tool);
    const schema = JSON.stringify(inputSchema, null, 2);
    return [`title: ${title}`, "description:", description, "arguments:", schema];
  } catch (thrown) {
    if (thrown instanceof Failure) return [showUnseen(thrown.message)];
    throw thrown;
  }
}
