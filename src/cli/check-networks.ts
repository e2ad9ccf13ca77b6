/**
 * For `ringfence doctor`: whether lists of hosts can be kept here, for programs whose network is one. Says nothing where no
 * program has a list.
 */
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { offeredChildFence, offeredSupervision } from "../fence/index.ts";
import { packPrograms } from "./check-pack-programs.ts";

/** @throws Failure `unsupported` with the reason: such programs have no network then, or are not started */
export async function checkNetworks(config: Config): Promise<string[]> {
  const { commands, hooks, shell, upstreams, fence } = config;
  const declared = [...Object.values(commands), ...hooks, ...Object.values(upstreams?.servers ?? {}), shell];
  const ofPacks = Object.keys(await packPrograms(config)).length;
  const count = ofPacks + declared.filter((one) => typeof one?.network === "object").length;
  if (count === 0) return [];
  const offered = offeredChildFence();
  const noFence = fence === "off" ? "the fence is switched off" : "reason" in offered ? offered.reason : undefined;
  const reason = noFence ?? offeredSupervision().reason;
  if (reason === undefined) return [`lists of hosts: kept by the kernel, for ${count} of the declared programs`];
  throw new Failure("unsupported", `Cannot keep a list of hosts: ${reason}`, {
    hint:
      noFence === undefined
        ? "Programs with such a list have no network."
        : "Programs with such a list are not started.",
  });
}
