/**
 * `ringfence review`: a person at a terminal sees every proposal of a state folder as it comes, and decides about it. While it
 * runs, the calls that made the proposals wait for the decision.
 */
import { openRootlessHost } from "../open-host.ts";
import { sha256 } from "../../base/index.ts";
import {
  configFlags,
  EXIT,
  JSON_FLAG,
  STATE_FLAG,
  UsageError,
  type CliCommand,
  type TypedArguments,
} from "../command.ts";
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
    web: { about: "Review in a browser, on a page of this machine alone." },
    port: {
      about: "With --web: the port of the page. Default: one that stays the same for a state folder.",
      value: "NUMBER",
    },
    "no-open": { about: "With --web: print the address and open no browser." },
    once: { about: "End when nothing waits, instead of waiting for more." },
  },
  examples: [
    "ringfence review",
    "ringfence review --once",
    "ringfence review --web",
    "ringfence review --json   # for programs: lines in, lines out",
  ],
  async run(typed) {
    using host = await openRootlessHost(configFlags(typed));
    using desk = openReviewDesk(host);
    using _notices = notifyThisTerminal(host);
    const options = { desk, once: typed.has("once") };
    const port = portOf(typed, host.config.stateDir);
    if (typed.has("web")) {
      const { reviewOnPage } = await import("../review/page/review-on-page.ts");
      await reviewOnPage({ ...options, host, port, opens: !typed.has("no-open") });
      return EXIT.ok;
    }
    await (typed.has("json") ? reviewAsJson(options) : reviewInLines(options));
    return EXIT.ok;
  },
};

const [FIRST_PORT, PORTS] = [21_000, 9000];

/** A bookmark and a tunnel go on working: a state folder has the same port each time. */
function portOf(typed: TypedArguments, stateDir: string): number {
  const given = typed.one("port");
  if (given === undefined) return FIRST_PORT + (Number.parseInt(sha256(stateDir).slice(0, 8), 16) % PORTS);
  if (!typed.has("web")) throw new UsageError("--port goes with --web");
  const port = Number(given);
  if (/^\d+$/.test(given) && port >= 1024 && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 1024 to 65535, not ${JSON.stringify(given)}`);
}
