/**
 * The methods about spaces: which there are, what is wrong with one, and to load and unload them while the host runs. What may be
 * loaded is said by the configuration and by what a person approved; a client cannot name another folder.
 */
import { Failure } from "../base/index.ts";
import type { LoadedSpaces, Services } from "../pipeline/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import * as z from "zod";

const listMethod: Method = defineMethod({
  name: "ringfence/spaces/list",
  summary: "Lists the [spaces](spaces.md), also those that are left out, with the reason.",
  result:
    "`{spaces: [{id, folder, offered, waiting, problems, loaded}]}`; `waiting` names tools that a person has to approve.",
  params: z.strictObject({}),
  order: "none",
  async answer(host) {
    await host.registry();
    return { spaces: host.spaces?.views() ?? [] };
  },
});

const reloadMethod: Method = defineMethod({
  name: "ringfence/spaces/reload",
  summary: "Reads all spaces now. A host looks every second by itself.",
  result: "`{added, removed, refused: [{name, why}]}`: tools by their names.",
  params: z.strictObject({}),
  order: "none",
  answer: async (host) => await (await spacesOf(host)).reload(),
});

const id = z.string().min(1).describe("The id of the space");

const loadMethod: Method = defineMethod({
  name: "ringfence/spaces/load",
  summary: "Offers the tools of a space again that was unloaded.",
  result: "As of `ringfence/spaces/reload`.",
  params: z.strictObject({ id }),
  order: "none",
  answer: async (host, params) => await (await spacesOf(host)).setLoaded(params.id, true),
});

const unloadMethod: Method = defineMethod({
  name: "ringfence/spaces/unload",
  summary: "Removes the tools of a space until it is loaded again or the host ends. What runs goes on.",
  result: "As of `ringfence/spaces/reload`.",
  params: z.strictObject({ id }),
  order: "none",
  answer: async (host, params) => await (await spacesOf(host)).setLoaded(params.id, false),
});

/** @throws Failure `unsupported` */
async function spacesOf(host: Services): Promise<LoadedSpaces> {
  await host.registry();
  if (host.spaces) return host.spaces;
  throw new Failure("unsupported", "Cannot change the spaces: this host has none", {
    hint: "The key spaces of the configuration names their directories.",
  });
}

export const spaceMethods: readonly Method[] = [listMethod, reloadMethod, loadMethod, unloadMethod];
