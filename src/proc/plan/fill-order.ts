/**
 * The values of an order that stand for others: `${NAME}` for a variable of the environment, `${file:/PATH}` for the content of a
 * file. They are filled in by the launcher when a process needs them, so that neither the host nor a line of its configuration
 * ever has a credential.
 */
import { readFileSync, statSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import type { PlanWorld } from "./plan-program.ts";

const MAX_FILE_BYTES: number = 1024 * 1024;

/** @throws Failure `denied` for a variable that is not set and for a file that a tool could write */
export function fillOrder(power: string, order: unknown, world: Pick<PlanWorld, "environment" | "trust">): unknown {
  if (typeof order === "string")
    return order.replaceAll(/\$\{(?:file:(\/[^}]+)|(\w+))\}/g, (_all, path?: string, name?: string) =>
      path === undefined ? variable(power, name ?? "", world) : contentOf(power, path, world),
    );
  if (Array.isArray(order)) return order.map((one: unknown) => fillOrder(power, one, world));
  if (typeof order !== "object" || order === null) return order;
  return Object.fromEntries(Object.entries(order).map(([key, value]) => [key, fillOrder(power, value, world)]));
}

function variable(power: string, name: string, { environment }: Pick<PlanWorld, "environment">): string {
  const found = environment[name];
  if (found !== undefined) return found;
  throw new Failure("denied", `Cannot use "${power}": the variable ${name} is not set`, {
    hint: `Set ${name} in the environment of this host and start it again.`,
  });
}

function contentOf(power: string, path: string, { trust }: Pick<PlanWorld, "trust">): string {
  const refused = (why: string): Failure => new Failure("denied", `Cannot use "${power}": the file "${path}" ${why}`);
  if (!trust.isTrusted(path)) throw refused("lies where tools can write");
  try {
    if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
  } catch {
    throw refused("cannot be read");
  }
  throw refused("is too large");
}
