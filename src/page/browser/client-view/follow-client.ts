/**
 * The view's end of the line to the client, which is the window around it: the handshake of MCP Apps, the answer of the call, the
 * theme, and the height that the view takes. https://modelcontextprotocol.io/specification/2026-01-26/basic/apps
 *
 * Invariant: only the window around this one is listened to. Whatever else the client says is left alone.
 */

/** What is used of the result of `tools/call`. */
export interface GivenAnswer {
  readonly content?: readonly { readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface ClientListener {
  readonly onAnswer: (answer: GivenAnswer) => void;
  readonly onTheme: (theme: "light" | "dark") => void;
}

interface Heard {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

const HELLO = 1;

export function followClient(listener: ClientListener): void {
  addEventListener("message", (event: MessageEvent<Heard | undefined>) => {
    if (event.source === parent && event.data?.jsonrpc === "2.0") hear(event.data, listener);
  });
  say({
    id: HELLO,
    method: "ui/initialize",
    params: {
      appInfo: { name: "ringfence", version: "1" },
      appCapabilities: {},
      protocolVersion: "2026-01-26",
    },
  });
}

function hear({ id, method, params = {}, result }: Heard, { onAnswer, onTheme }: ClientListener): void {
  const themed = (context: unknown): void => {
    const theme = (Object(context) as { theme?: unknown }).theme;
    if (theme === "light" || theme === "dark") onTheme(theme);
  };
  switch (method) {
    case undefined:
      if (id !== HELLO || !result) return;
      themed(result["hostContext"]);
      say({ method: "ui/notifications/initialized", params: {} });
      new ResizeObserver(sayHeight).observe(document.body);
      break;
    case "ui/notifications/tool-result":
      onAnswer(params);
      break;
    case "ui/notifications/host-context-changed":
      themed(params);
      break;
    case "ui/resource-teardown":
    case "ping":
      say({ id, result: {} });
      break;
    default:
      // A question that nobody answers would keep the client waiting.
      if (id !== undefined) say({ id, error: { code: -32601, message: "this view only shows" } });
  }
}

function sayHeight(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  say({ method: "ui/notifications/size-changed", params: { height } });
}

/** The view does not know where it is shown, and says nothing that a page around it may not hear. */
function say(message: object): void {
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}
