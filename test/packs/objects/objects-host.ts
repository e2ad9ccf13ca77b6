/**
 * A host with the pack `objects` over a store of the tests, and what becomes of its proposals.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../binary/serve-process.ts";
import { openWebHost, type WebAnswer, type WebHost } from "../web/web-host.ts";
import { ACCESS_KEY, REGION, SECRET_KEY } from "./own-store.ts";

export interface ObjectsOptions {
  readonly endpoint: string;
  readonly buckets?: readonly string[];
  readonly region?: string;
  /** Beside the pack. */
  readonly config?: object | ((place: Place) => object);
  /** Beside `objects`. */
  readonly packs?: object;
  readonly env?: Readonly<Record<string, string>>;
}

export async function openObjectsHost(options: ObjectsOptions): Promise<WebHost> {
  const { endpoint, buckets = ["builds"], region = REGION, config = {}, packs = {}, env, ...rest } = options;
  const credentials = { access_key: "ART_KEY", secret_key: "ART_SECRET" };
  const objects = { stores: { art: { endpoint, region, buckets, credentials } } };
  return await openWebHost({
    ...rest,
    config: (place) => ({
      packs: { objects, ...packs },
      ...(typeof config === "function" ? (config as (place: Place) => object)(place) : config),
    }),
    env: env ?? { ART_KEY: ACCESS_KEY, ART_SECRET: SECRET_KEY },
  });
}

export interface WaitingProposal {
  readonly id: string;
  readonly digest: string;
  readonly summary: string;
}

export function proposalOf({ result }: Pick<WebAnswer, "result">): WaitingProposal {
  const proposal = (result._meta as Readonly<Record<string, WaitingProposal>> | undefined)?.["dev.ringfence/proposal"];
  if (!proposal) throw new Error(`no proposal: ${JSON.stringify(result)}`);
  return proposal;
}

/** What applying it answers, as text. */
export async function apply(host: WebHost, answer: Pick<WebAnswer, "result">): Promise<string> {
  return JSON.stringify(await host.ask("ringfence/proposals/apply", { id: proposalOf(answer).id }));
}

/** A file in the root of the host. */
export function writeIn({ place }: WebHost, path: string, content: string | Buffer): void {
  const whole = join(place.root, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, content);
}

export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
}
