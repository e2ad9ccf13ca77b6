/**
 * `ringfence review`: a person at a terminal sees every proposal of a state folder as it comes, and decides about it. While it
 * runs, the calls that made the proposals wait for the decision.
 */
import { openRootlessHost } from "../open-host.ts";
import { configFlags, EXIT, JSON_FLAG, STATE_FLAG, UsageError, type CliCommand } from "../command.ts";
import { isAtTerminal } from "../print.ts";
import { reviewAsJson } from "../review/json-review.ts";
import { openReviewDesk } from "../review/review-desk.ts";
import { reviewInLines } from "../review/line-review.ts";
import { THEME_NAMES, type ThemeName } from "../screen/draw/themes.ts";

function themeNamed(name: string | undefined): ThemeName | undefined {
  const known = THEME_NAMES.find((one) => one === name);
  if (name !== undefined && known === undefined)
    throw new UsageError(`--theme takes ${THEME_NAMES.join(", ")}, not ${JSON.stringify(name)}`);
  return known;
}

export const reviewCommand: CliCommand = {
  about: "Decide about what waits for approval, as it comes; the agents wait meanwhile.",
  flags: {
    ...STATE_FLAG,
    ...JSON_FLAG,
    plain: { about: "Ask in lines, as git add -p does, instead of on the whole screen." },
    spoken: { about: "For a screen reader: words in the place of signs, in one column." },
    theme: { about: "The colours: dark, light or contrast. Default: as the terminal says.", value: "NAME" },
    once: { about: "End when nothing waits, instead of waiting for more." },
  },
  examples: [
    "ringfence review",
    "ringfence review --once",
    "ringfence review --json   # for programs: lines in, lines out",
  ],
  async run(typed) {
    using host = await openRootlessHost(configFlags(typed));
    using desk = openReviewDesk(host, typed.has("json") ? "client" : "terminal");
    const options = { desk, once: typed.has("once") };
    if (typed.has("json")) await reviewAsJson(options);
    else if (typed.has("plain") || !isAtTerminal() || process.env["TERM"] === "dumb") await reviewInLines(options);
    else {
      const { reviewOnScreen } = await import("../screen/review-screen.ts");
      const isSpoken = typed.has("spoken") || process.env["INK_SCREEN_READER"] === "true";
      await reviewOnScreen({ ...options, theme: themeNamed(typed.one("theme")), isSpoken });
    }
    return EXIT.ok;
  },
};
