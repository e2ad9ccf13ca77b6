/**
 * `ringfence review`: a person at a terminal sees every proposal of a state folder as it comes, and decides about it. While it
 * runs, the calls that made the proposals wait for the decision.
 */
import { openRootlessHost } from "../open-host.ts";
import { configFlags, EXIT, JSON_FLAG, STATE_FLAG, type CliCommand } from "../command.ts";
import { reviewAsJson } from "../review/json-review.ts";
import { notifyThisTerminal } from "../notify/notify-command.ts";
import { openReviewDesk } from "../review/review-desk.ts";
import { reviewInLines } from "../review/line-review.ts";

export const reviewCommand: CliCommand = {
  about: "Decide about what waits for approval, as it comes; the agents wait meanwhile.",
  flags: {
    ...STATE_FLAG,
    ...JSON_FLAG,
    plain: { about: "Ask in lines, as git add -p does, which is the default." },
    once: { about: "End when nothing waits, instead of waiting for more." },
  },
  examples: [
    "ringfence review",
    "ringfence review --once",
    "ringfence review --json   # for programs: lines in, lines out",
  ],
  async run(typed) {
    using host = await openRootlessHost(configFlags(typed));
    using desk = openReviewDesk(host);
    using _notices = notifyThisTerminal(host);
    const options = { desk, once: typed.has("once") };
    await (typed.has("json") ? reviewAsJson(options) : reviewInLines(options));
    return EXIT.ok;
  },
};
