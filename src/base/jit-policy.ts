/**
 * The executable starts with the engine reluctant to compile (`scripts/build/compile.ts`): what a start runs once is not worth a
 * compiler thread, which takes time from it on two cores. That takes 2 ms of 25 from a fenced start. Workers never start so.
 */

/** The start of this process is over: what is called often is compiled as usual. A program that runs from source always does so. */
export function endStartPolicy(): void {
  Bun.unsafe.setJITPolicy(NORMAL);
}

const NORMAL = 1;
