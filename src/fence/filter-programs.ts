/**
 * The filters of system calls as programs of classic BPF over struct seccomp_data, made of the rows of the call table. Pure, for both
 * processors. The build makes all of them once and puts them into the executable; a program that runs from source makes each when
 * it is first wanted, by the same recipe.
 */
import type { Architecture } from "../sys/index.ts";
import {
  ABSENT,
  JUMP_AT_LEAST,
  JUMP_EQUAL,
  LOAD,
  REFUSED,
  ruleOf,
  type CallRow,
  type FilterReach,
  type Instruction,
  readCallTable,
} from "./call-rules.ts";

export type HelperNetwork = Extract<FilterReach, "none" | "internet" | "listen">;

/** For whom each filter is, by the network that is open to it. */
const NETWORKS = {
  host: ["none", "internet", "listen"],
  command: ["none", "internet", "all", "listen", "listed", "listed and unix"],
} as const satisfies { readonly host: readonly HelperNetwork[]; readonly command: readonly FilterReach[] };

/** `host none`, `command internet`. */
export type FilterName = `host ${HelperNetwork}` | `command ${FilterReach}`;
/** Every filter of one processor: instructions of 8 bytes (struct sock_filter), in base64. */
export type Filters = Readonly<Record<FilterName, string>>;

const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** x86-64 has a second table of calls behind this bit. */
const X32_BIT = 0x40000000;
const [AT_NUMBER, AT_ARCHITECTURE] = [0, 4];
/** The rules of a program that open when its network does. */
const NETWORK_RULES: ReadonlySet<string> = new Set(["network", "connects", "families", "addressed"]);

/** For the build. */
export function makeFilters(architecture: Architecture): Filters {
  const host = NETWORKS.host.map((network) => [`host ${network}`, hostFilter(architecture, network)]);
  const command = NETWORKS.command.map((network) => [`command ${network}`, commandFilter(architecture, network)]);
  return Object.fromEntries([...host, ...command]) as Filters;
}

/** The filter of this process, in base64. */
export function hostFilter(architecture: Architecture, network: HelperNetwork): string {
  return encode(filterProgram(architecture, network));
}

/** The filter of a program that is started for the host, in base64. */
export function commandFilter(architecture: Architecture, network: FilterReach): string {
  return encode(childFilterProgram(architecture, network));
}

/** The filter of the host, and of a helper, which differs only where it reaches a network. */
export function filterProgram(architecture: Architecture, network: HelperNetwork = "none"): readonly Instruction[] {
  return program(architecture, ({ host, command, name }) =>
    ruleOf(network !== "none" && NETWORK_RULES.has(command) ? command : host, name, network),
  );
}

/** The filter of a program that is started for the host. */
export function childFilterProgram(architecture: Architecture, network: FilterReach): readonly Instruction[] {
  return program(architecture, ({ command, name }) => ruleOf(command, name, network));
}

/** From this number on, until the next one. */
interface Range {
  readonly from: number;
  readonly rule: readonly Instruction[];
}

function program(
  architecture: Architecture,
  ruleFor: (row: CallRow) => readonly Instruction[],
): readonly Instruction[] {
  return [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCHITECTURE[architecture]],
    REFUSED,
    [LOAD, 0, 0, AT_NUMBER],
    ...(architecture === "x64" ? ([[JUMP_AT_LEAST, 0, 1, X32_BIT], REFUSED] as const) : []),
    ...search(rangesOf(architecture, ruleFor)),
  ];
}

function rangesOf(architecture: Architecture, ruleFor: (row: CallRow) => readonly Instruction[]): readonly Range[] {
  const rules = new Map<number, readonly Instruction[]>();
  for (const row of readCallTable()) {
    const number = row.numbers[architecture];
    if (number !== undefined) rules.set(number, ruleFor(row));
  }
  const closed = [ABSENT];
  const ranges: Range[] = [];
  const last = Math.max(...rules.keys());
  for (let from = 0; from <= last + 1; from++) {
    const rule = rules.get(from) ?? closed;
    if (!isSame(ranges.at(-1)?.rule, rule)) ranges.push({ from, rule });
  }
  return ranges;
}

function isSame(one: readonly Instruction[] | undefined, other: readonly Instruction[]): boolean {
  return one === other || (one?.length === 1 && other.length === 1 && one[0]?.[3] === other[0]?.[3]);
}

/** A jump has 8 bits; a longer one would be cut without a word, and lead somewhere else. */
const MAX_JUMP = 255;

/** Halves the ranges until one is left. */
function search(ranges: readonly Range[]): readonly Instruction[] {
  const [first] = ranges;
  if (!first) return [];
  if (ranges.length === 1) return first.rule;
  const middle = ranges.slice(Math.ceil(ranges.length / 2));
  const below = search(ranges.slice(0, Math.ceil(ranges.length / 2)));
  if (below.length > MAX_JUMP) throw new Error("the filter of system calls has a jump that its language cannot say");
  return [[JUMP_AT_LEAST, below.length, 0, middle[0]?.from ?? 0], ...below, ...search(middle)];
}

/** struct sock_filter, 8 bytes each. */
function encode(instructions: readonly Instruction[]): string {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, ifTrue, ifFalse, value], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  });
  return bytes.toString("base64");
}
