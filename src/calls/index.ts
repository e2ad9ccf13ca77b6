/**
 * What a program asks of a host, and how it looks: alike for a host in the same process (`createHost`) and one behind a
 * pipe (`connect`). The client is shipped without the rest, so nothing but the generated types of the tools comes from
 * elsewhere. `public.ts` is what consumers see. Read `tool-host.ts` first, then `requests.ts`, which implements it over
 * a transport. It imports nothing of ours.
 */
export { wordsByPlace, type ResultCounts } from "./call-result.ts";
export type { Listen } from "./events.ts";
export { failureOfRpc, stoppedFailure, type Retry, type RpcProblem } from "./failure.ts";
export type * from "./public.ts";
export type { AskedBefore, RuleCoverage } from "./tool-host.ts";
export type { ComparedFile, ImageBytes, ProposalImage } from "./call-result.ts";
export type { MethodParams } from "../../types/tools.d.ts";
export {
  createToolHost,
  openStop,
  type MethodName,
  type MethodResults,
  type RequestHow,
  type Transport,
} from "./requests.ts";
