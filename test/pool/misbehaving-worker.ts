/**
 * A worker that does on demand what real ones must not: end, hang, throw, ignore its flag. Its config "broken" makes it
 * fail before the first job; one that is a path is a file to which every worker adds a line when it is there.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { compiledModule, Failure, throwIfStopped } from "../../src/base/index.ts";
import { serveJobs, type JobContext, type JobResult } from "../../src/pool/index.ts";

declare const self: Parameters<typeof serveJobs>[0];

let done = 0;
let isWorn = false;

serveJobs(
  self,
  (config) => {
    if (config === "broken") throw new Failure("denied", "Cannot open the root");
    if (config !== "") appendFileSync(config, "a worker\n");
    return async (name, input, job) => await run(name, input, job);
  },
  { inTurns: true, isWorn: () => isWorn },
);

async function run(name: string, input: string, job: JobContext): Promise<JobResult> {
  switch (name) {
    case "echo":
      throwIfStopped(job.cancel, "the echo");
      return { payload: input, facts: JSON.stringify({ done: ++done }) };
    case "exit":
      process.exit(Number(input));
      break;
    case "throw":
      throw new TypeError("a bug");
    case "fail":
      throw new Failure("not_found", "Cannot find it");
    case "hang":
      for (;;);
    case "spin":
      for (let turn = 0; ; turn++) {
        throwIfStopped(job.cancel, "the spin");
        // The path of a file that says that it has begun.
        if (turn === 0 && input.startsWith("/")) writeFileSync(input, "");
        if (turn % 1000 === 0) job.progress(turn, undefined, "spinning");
      }
    // As "spin", but it gives way.
    case "endless":
      if (input.startsWith("/")) appendFileSync(input, "");
      for (;;) {
        throwIfStopped(job.cancel, "the endless job");
        await job.turn?.pause();
      }
    case "wear":
      isWorn = true;
      return { payload: input, facts: JSON.stringify({ done: ++done }) };
    case "compile":
      return { payload: JSON.stringify(WebAssembly.Module.exports(compiledModule("scan", input)).length) };
    case "share": {
      const [what, part] = JSON.parse(input) as [string, string];
      const asked = job.share(what, part);
      const answer = await (job.turn?.away(asked) ?? asked);
      return { payload: JSON.stringify(answer ?? "nobody") };
    }
  }
  throw new Error(`unknown job ${name}`);
}
