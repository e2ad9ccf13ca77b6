/**
 * What holds a configuration to schemas: its files, and what it says of packs. A start without a file and without packs loads none of it. It is
 * one piece because each further one is waited for, which a start with packs would pay for.
 */
export { PLANS } from "../packs/plans.ts";
export { layerConfig } from "./layers.ts";
export { parsePackSettings } from "./parse/pack-settings.ts";
