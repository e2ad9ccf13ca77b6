/**
 * The values of an order that stand for others: `${NAME}` for a variable of the environment, `${file:/PATH}` for the content of a
 * file. They are filled in by the launcher when a process needs them, so that neither the host nor a line of its configuration
 * ever has a credential.
 */
import { readFileSync, statSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import type { PlanWorld } from "./plan-program.ts";

const MAX_FILE_BYTES: number = 1024 * 1024;

type World = Pick<PlanWorld, "environment" | "trust">;

/**
 * @param place of the order in the configuration, by its keys
 * @throws Failure `denied` for a variable that is not set and for a file that a tool could write
 */
export function fillOrder(order: unknown, world: World, place: readonly string[] = []): unknown {
  if (typeof order === "string")
    return order.replaceAll(/\$\{(?:file:(\/[^}]+)|(\w+))\}/g, (_all, path?: string, name?: string) =>
      path === undefined ? variable(name ?? "", world, place) : contentOf(path, world, place),
    );
  if (Array.isArray(order)) return order.map((one: unknown) => fillOrder(one, world, place));
  if (typeof order !== "object" || order === null) return order;
  return Object.fromEntries(
    Object.entries(order).map(([key, value]) => [key, fillOrder(value, world, [...place, key])]),
  );
}

/** Failures name the pack, `packs.objects`, or the setting, `network.ca`: what stands below has names of the order's own. */
function refused(place: readonly string[], why: string, hint?: string): Failure {
  const what = `Cannot use "${place.slice(0, 2).join(".")}": ${why}`;
  return new Failure("denied", what, hint === undefined ? {} : { hint });
}

function variable(name: string, { environment }: World, place: readonly string[]): string {
  const found = environment[name];
  if (found !== undefined) return found;
  const hint = `Set ${name} in the environment of this host and start it again.`;
  throw refused(place, `the variable ${name} is not set`, hint);
}

function contentOf(path: string, { trust }: World, place: readonly string[]): string {
  const file = `the file "${path}"`;
  if (!trust.isTrusted(path)) throw refused(place, `${file} lies where tools can write`);
  try {
    if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
  } catch {
    throw refused(place, `${file} cannot be read`);
  }
  throw refused(place, `${file} is too large`);
}
