/**
 * What is loaded with the first request that needs the tools, in one bundle: the schemas, and everything that runs a call.
 * A client that only shakes hands must not wait for it, and a second bundle would make every first call slower.
 */
export { answerMethod } from "./answer-request.ts";
export { registerOffered } from "./bridge-tools.ts";
export { knownUpstreamTools, loadUpstreamTools, openUpstreams } from "./load-upstream-tools.ts";
export { speak } from "../pipeline/index.ts";
