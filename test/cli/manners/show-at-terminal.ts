/**
 * A command at a terminal of its own that asks nothing: all bytes that it sent to the screen, of both streams.
 */
import { binaryPath } from "../../binary/build-binary.ts";
import { settled } from "../../waits/until.ts";
import type { ListedPlace } from "./listed-place.ts";

export interface ScreenOptions {
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function showAtTerminal(
  place: ListedPlace,
  args: readonly string[],
  { columns = 200, environment = {} }: ScreenOptions = {},
): Promise<string> {
  let screen = "";
  const child = Bun.spawn([await binaryPath(), ...args], {
    cwd: place.root,
    env: place.environment({ TERM: "xterm", ...environment }),
    terminal: {
      cols: columns,
      rows: 50,
      data: (_terminal, bytes) => {
        screen += Buffer.from(bytes).toString();
      },
    },
  });
  await settled("the end of the command", child.exited);
  child.terminal?.close();
  return screen.replaceAll("\r\n", "\n");
}

/** What is left without colours. */
export function withoutColors(screen: string): string {
  return screen.replaceAll(/\u001b\[[\d;]*m/g, "");
}
