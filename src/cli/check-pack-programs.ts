/**
 * For `ringfence doctor`: the programs that packs speak to, whether each is there, in a place where no tool can write.
 */
import { Failure } from "../base/index.ts";
import { cleanEnvironment, loadPacks, type Config } from "../config/index.ts";
import { findPrograms, type PackProgram } from "../proc/index.ts";

/** @throws Failure `not_found` that says which is not */
export async function checkPackPrograms(config: Config): Promise<string[]> {
  const programs = await packPrograms(config);
  const { roots, stateDir } = config;
  const declared = Object.fromEntries(
    Object.entries(programs).map(([pack, { program }]) => [pack, { program, description: "" }]),
  );
  const found = findPrograms(declared, { roots, hidden: [stateDir] }, cleanEnvironment());
  return Object.entries(found).map(([pack, one]) => {
    if ("missing" in one)
      throw new Failure("not_found", `Cannot use the pack "${pack}": ${one.missing}`, {
        hint: `packs.${pack}.program of the configuration names it.`,
      });
    return `the pack ${pack} starts ${one.path}`;
  });
}

/** By the names of the packs that are on and have one. */
export async function packPrograms(config: Config): Promise<Readonly<Record<string, PackProgram>>> {
  const packs = await loadPacks(config);
  const found = packs.flatMap(({ pack, isOn, settings }) => {
    const program = isOn ? pack.program(settings) : undefined;
    return program ? [[pack.name, program] as const] : [];
  });
  return Object.fromEntries(found);
}
