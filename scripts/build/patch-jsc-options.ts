/**
 * Blinds the loop in which the runtime reads `BUN_JSC_*`: engine options that print, write files (text markers, JIT
 * dumps) or weaken checks, taken from the environment before any code of ours runs. The compiler turned the prefix into
 * eight byte comparisons in a row, so there is no string to overwrite.
 *
 * The patch changes one operand: the second comparison reads the first character again. No character is both `B` and
 * `U`, so no name matches. Found by the shape of the whole sequence, and exactly once in each 1.4.5 runtime.
 */
export function blindJscOptions(runtime: Buffer, cpu: "x64" | "arm64"): number {
  const places = cpu === "x64" ? findX64(runtime) : findArm64(runtime);
  if (places.length !== 1) {
    throw new Error(
      `Cannot patch the runtime: the BUN_JSC_ comparison occurs ${places.length} times, and must occur once`,
    );
  }
  for (const place of places) {
    if (cpu === "x64") runtime[place] = 0;
    else runtime.writeUInt32LE(runtime.readUInt32LE(place) & ~LDRB_OFFSET_1, place);
  }
  return places.length;
}

/** The characters after the first; character k of this is compared at offset k + 1. */
const REST = Buffer.from("UN_JSC_", "latin1");

/** `cmp byte [reg + disp8], imm8; jne rel8`: the distance is 7 bytes with a REX prefix and 6 without. */
function findX64(runtime: Buffer): number[] {
  const start = Buffer.from([1, 0x55, 0x75]);
  const places: number[] = [];
  for (let at = runtime.indexOf(start); at !== -1; at = runtime.indexOf(start, at + 1)) {
    if ([6, 7].some((stride) => REST.every((char, k) => isCompareX64(runtime, at + k * stride, k + 1, char)))) {
      places.push(at);
    }
  }
  return places;
}

function isCompareX64(runtime: Buffer, at: number, offset: number, char: number): boolean {
  return runtime[at] === offset && runtime[at + 1] === char && runtime[at + 2] === 0x75;
}

const LDRB = 0x39400000;
const LDRB_MASK = 0xffc00000;
const LDRB_OFFSET_1 = 1 << 10;
/** `subs wzr, wN, #imm12`, which assemblers write as `cmp`. */
const CMP = 0x7100001f;
const CMP_MASK = 0xffc0001f;

/** `ldrb wT, [xN, #offset]; cmp wT, #char; b.ne`: three words for each character. */
function findArm64(runtime: Buffer): number[] {
  const words = Math.floor(runtime.length / 4);
  const view = new Uint32Array(runtime.buffer, runtime.byteOffset, words);
  const places: number[] = [];
  for (let at = 0; at + 3 * REST.length < words; at += 1) {
    if (!isCompareArm64(view, at, 1, 0x55)) continue;
    if (REST.every((char, k) => isCompareArm64(view, at + 3 * k, k + 1, char))) places.push(at * 4);
  }
  return places;
}

function isCompareArm64(view: Uint32Array, at: number, offset: number, char: number): boolean {
  const load = view[at] ?? 0;
  const compare = view[at + 1] ?? 0;
  if ((load & LDRB_MASK) >>> 0 !== LDRB || (compare & CMP_MASK) >>> 0 !== CMP) return false;
  return ((load >>> 10) & 0xfff) === offset && ((compare >>> 10) & 0xfff) === char;
}
