/**
 * The view of a proposal in a client that shows MCP Apps. It is given the answer of the call by the client, shows it, and asks
 * for nothing: it has no way to decide, calls no tool and reaches no network.
 */
import { render } from "preact";
import type { ClientView } from "../../client-view.ts";
import { AnswerView } from "./answer-view.tsx";
import { followClient } from "./follow-client.ts";

followClient({
  onTheme(theme) {
    document.documentElement.style.colorScheme = theme;
  },
  onAnswer({ content = [], _meta: meta = {} }) {
    const view = meta["dev.ringfence/review"] as ClientView | undefined;
    const said = content.flatMap(({ text }) => (text === undefined ? [] : [text]));
    render(<AnswerView view={view} said={said.join("\n")} />, document.body);
  },
});
