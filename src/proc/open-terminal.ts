/**
 * A program in a terminal window of its own, for the button of a notice. The window belongs to the person and outlives this process.
 */
import { findProgram, trustOutside } from "./plan/find-program.ts";

/** Terminals with what stands before the program, in the order in which they are tried. */
const TERMINALS: readonly (readonly string[])[] = [
  ["x-terminal-emulator", "-e"],
  ["gnome-terminal", "--"],
  ["konsole", "-e"],
  ["kitty"],
  ["foot"],
  ["alacritty", "-e"],
  ["wezterm", "start", "--"],
  ["xterm", "-e"],
];

/** @returns whether there is a terminal; what happens in it is the person's affair */
export function openTerminal(command: readonly string[], environment: Readonly<Record<string, string>>): boolean {
  const trust = trustOutside(environment["PATH"] ?? "", []);
  for (const [name = "", ...before] of TERMINALS) {
    const found = findProgram(name, trust);
    if (!("path" in found)) continue;
    const child = Bun.spawn([found.path, ...before, ...command], {
      env: { ...environment },
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    return true;
  }
  return false;
}
