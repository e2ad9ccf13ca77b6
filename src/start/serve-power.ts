/**
 * This program as the helper of one power. It knows the packs as every start of the program does, and imports the code of the
 * power that it is told to be.
 */
import { Failure } from "../base/index.ts";
import { isPackPower, type Pack, type Power } from "../contract/index.ts";
import { isBroker, loadBroker, type BrokerOrder } from "../reach/index.ts";
import { serveHelper, type HelperOrder, type PowerCode } from "../proc/index.ts";

/** Until its input ends. */
export async function servePower(own?: readonly Pack[]): Promise<void> {
  await serveHelper(async (order) => {
    if (isBroker(order.power)) return await loadBroker(order.settings as BrokerOrder);
    const { loadPacksWith } = await import("../packs/optional.ts");
    const packs = own ?? (await loadPacksWith(order.power));
    const { hostPowers } = await import("../packs/late-packs.ts");
    return await loadPower([...hostPowers, ...packs.flatMap(({ powers = [] }) => powers)], order);
  });
}

type Handler = (ask: unknown, job: object) => unknown;

async function loadPower(powers: readonly Power[], { power: name, settings }: HelperOrder): Promise<PowerCode> {
  const power = powers.find((one) => one.name === name);
  if (!power || !isPackPower(power)) throw new Error(`no power ${name}`);
  const handlers = (await power.serve()).handlers as Readonly<Record<string, Handler>>;
  return async (call, ask, signal) => {
    const schemas = Object.hasOwn(power.calls, call) ? power.calls[call] : undefined;
    const handler = schemas && handlers[call];
    if (!schemas || !handler)
      throw new Failure("unsupported", `Cannot call ${name}.${call}: there is no such function`, {
        hint: "The power has to declare it among its calls.",
      });
    return await handler(schemas[0].parse(ask), { settings, signal });
  };
}
