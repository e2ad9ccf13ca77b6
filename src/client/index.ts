/**
 * The typed client: a host in a process of its own, driven from any program. Plain Node and no dependency, so that it works in
 * Node 20 as in Bun; `npm run build` makes the JavaScript of it. It may import `calls`.
 *
 * @example
 * import { connect } from "ringfence/client";
 * const client = await connect({ roots: ["/srv/project"] });
 * const { structured } = await client.call("grep", { pattern: "TODO" });
 */
export type * from "../calls/public.ts";
export { connect, type Client, type ConnectOptions } from "./connect.ts";
export { CallError, ConnectionError, type HostEnd } from "./host-process.ts";
