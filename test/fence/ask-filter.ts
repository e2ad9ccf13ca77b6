/**
 * A small interpreter of the language of filters: what a filter answers to a system call.
 */
import type { Instruction } from "../../src/fence/call-rules.ts";

export const ALLOW = "allow";
/** The call waits for the keeper's answer. */
export const SUPERVISED = "supervised";
export const EPERM = "errno 1";
export const X64 = 0xc000003e;
export const ARM64 = 0xc00000b7;

export interface SystemCall {
  readonly number: number;
  readonly machine: number;
  /** The first four arguments. */
  readonly flags?: number;
  readonly second?: number;
  readonly third?: number;
  readonly fourth?: number;
  /** An address: its lower and its upper half. */
  readonly fifth?: readonly [number, number];
}

export function answer(
  program: readonly Instruction[],
  { number, machine, flags = 0, second = 0, third = 0, fourth = 0, fifth = [0, 0] }: SystemCall,
): string {
  const data: Readonly<Record<number, number>> = {
    0: number,
    4: machine,
    16: flags,
    24: second,
    32: third,
    40: fourth,
    48: fifth[0],
    52: fifth[1],
  };
  let loaded = 0;
  for (let at = 0; at < program.length; at++) {
    const [code, ifTrue, ifFalse, value] = program[at] ?? [0, 0, 0, 0];
    if (code === 0x20) loaded = data[value] ?? Number.NaN;
    else if (code === 0x06)
      return value === 0x7fff0000 ? ALLOW : value === 0x7fc00000 ? SUPERVISED : `errno ${value & 0xffff}`;
    else {
      const holds = code === 0x15 ? loaded === value : code === 0x35 ? loaded >= value : (loaded & value) !== 0;
      at += holds ? ifTrue : ifFalse;
    }
  }
  throw new Error("the program ends without an answer");
}
