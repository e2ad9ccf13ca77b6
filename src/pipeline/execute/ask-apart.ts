/**
 * What a worker has the host do: to ask the process of a power that no file is near. Only pictures are decoded in this way; the
 * answer is held to the power's schema, as for any tool that asks.
 */
import { picturesPower } from "../../packs/index.ts";
import type { OutsideAsk } from "../../pool/index.ts";
import type { Services } from "../services.ts";
import { callPower } from "./powers.ts";

/** @returns its answer as JSON. @throws Failure of the power, and where its process cannot be started */
export async function askApart(host: Services, { name, input, signal, timeoutMs }: OutsideAsk): Promise<string> {
  const call = name.slice(`${picturesPower.name}.`.length);
  if (!name.startsWith(`${picturesPower.name}.`) || !Object.hasOwn(picturesPower.calls, call))
    throw new Error(`no worker asks for ${name}`);
  const stop = new AbortController();
  if (signal?.aborted) stop.abort();
  signal?.addEventListener("abort", () => stop.abort());
  const use = { host, power: { ...picturesPower, timeoutMs }, settings: {}, signal: stop.signal };
  return JSON.stringify(await callPower(use, call, JSON.parse(input)));
}
