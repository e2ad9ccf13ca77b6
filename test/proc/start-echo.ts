/**
 * A program that says what it hears. Whoever was ended does not do that any more, so that "it was not ended" shows at once.
 *
 * Usual mistake: to wait for a while and look whether it is there. What was ended may take longer than the while.
 */
import { expect } from "bun:test";
import { settled } from "../waits/until.ts";

export type Echo = Bun.Subprocess<"pipe", "pipe", "inherit">;

export function startEcho(): Echo {
  return Bun.spawn(["cat"], { stdin: "pipe", stdout: "pipe" });
}

export async function expectAlive(echo: Echo): Promise<void> {
  void echo.stdin.write("are you there?\n");
  void echo.stdin.flush();
  const reader = echo.stdout.getReader();
  const { value } = await settled("an echo", reader.read());
  reader.releaseLock();
  expect(Buffer.from(value ?? []).toString("utf8")).toBe("are you there?\n");
}
