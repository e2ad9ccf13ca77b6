/**
 * Everything that is measured on a large tree, by the name that `--only` takes; `--only=search` is all of it.
 */
import type { Bench } from "../bench.ts";
import type { Measurement } from "../measurement.ts";
import { measureHash, measureList } from "./big-inputs.ts";
import { measureGrepCalled, measureGrepInHost } from "./grep-counts.ts";
import { measureSearchKinds } from "./kinds.ts";
import { measureGrowth } from "./growth.ts";
import { measureSearchMemory, measureSearchPing } from "./load.ts";
import { measureFirstPage, measureGlob, measureUsage } from "./tree-tools.ts";

export const SEARCH_MEASURES: Readonly<Record<string, (bench: Bench) => Promise<Measurement[]>>> = {
  grep: measureGrepInHost,
  "grep-called": measureGrepCalled,
  "search-kinds": measureSearchKinds,
  "first-page": measureFirstPage,
  glob: measureGlob,
  usage: measureUsage,
  list: measureList,
  hash: measureHash,
  "search-memory": measureSearchMemory,
  "search-ping": measureSearchPing,
  growth: measureGrowth,
};
