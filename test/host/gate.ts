/**
 * A place in a shell script where it stays until a test lets it go on, and where the test can wait for it: what a host does
 * meanwhile it does while the command runs, however fast or slow the machine is.
 *
 * Usual mistake: a command that sleeps for as long as the test is thought to need.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../waits/until.ts";
import type { TestHost } from "./in-memory-host.ts";

export interface Gate {
  /** Until the script is there. */
  readonly reached: () => Promise<void>;
  readonly open: () => void;
}

/** As part of a shell script of a command without a fence, which runs in the root. The files of the gate are outside of it. */
export function gated(name = "gate"): string {
  return `touch ../outside/${name}.reached; while [ ! -e ../outside/${name}.open ]; do sleep 0.05; done`;
}

export const GATED: string = gated();

export function openGate({ outside }: TestHost, name = "gate"): Gate {
  return {
    async reached() {
      await until(`a script to reach ${name}`, () => existsSync(join(outside, `${name}.reached`)));
    },
    open: () => writeFileSync(join(outside, `${name}.open`), ""),
  };
}
