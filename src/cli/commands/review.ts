/**
 * `ringfence review`: a person at a terminal sees every proposal of a state folder as it comes, and decides about it. While it
 * runs, the calls that made the proposals wait for the decision.
 */
import { readFileSync } from "node:fs";
import { openRootlessHost } from "../open-host.ts";
import type { Host } from "../../host/index.ts";
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
import { isAtTerminal } from "../print.ts";
import { reviewAsJson } from "../review/json-review.ts";
import { notifyThisTerminal } from "../notify/notify-command.ts";
import { openReviewDesk } from "../review/review-desk.ts";
import { reviewInLines } from "../review/line-review.ts";
import { readKeymap } from "../screen/keys/keymap.ts";
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
    keys: { about: "On the whole screen: a file of JSON with keys of your own.", value: "FILE" },
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
    const surfaces = ["json", "plain", "web"].filter((name) => typed.has(name)).map((name) => `--${name}`);
    if (surfaces.length > 1) throw new UsageError(`${surfaces.join(" and ")} do not go together`);
    if (typed.has("no-open") && !typed.has("web")) throw new UsageError("--no-open goes with --web");
    using host = await openRootlessHost(configFlags(typed));
    const port = portOf(typed, host.config.stateDir);
    if (typed.has("web")) await onPage(host, port, typed);
    else await inTerminal(host, typed);
    return EXIT.ok;
  },
};

async function onPage(host: Host, port: number, typed: TypedArguments): Promise<void> {
  using desk = openReviewDesk(host);
  using _notices = notifyThisTerminal(host);
  const { reviewOnPage } = await import("../review/page/review-on-page.ts");
  await reviewOnPage({ desk, once: typed.has("once"), host, port, opens: !typed.has("no-open") });
}

async function inTerminal(host: Host, typed: TypedArguments): Promise<void> {
  using desk = openReviewDesk(host, typed.has("json") ? "client" : "terminal");
  using _notices = notifyThisTerminal(host);
  const options = { desk, once: typed.has("once") };
  if (typed.has("json")) await reviewAsJson(options);
  else if (typed.has("plain") || !isAtTerminal() || process.env["TERM"] === "dumb") await reviewInLines(options);
  else {
    const { reviewOnScreen } = await import("../screen/review-screen.ts");
    const isSpoken = typed.has("spoken") || process.env["INK_SCREEN_READER"] === "true";
    const keys = typed.one("keys");
    const keymap = keys === undefined ? undefined : readKeymap(textOf(keys));
    await reviewOnScreen({ ...options, theme: themeNamed(typed.one("theme")), isSpoken, keymap });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new UsageError(`--keys: cannot read ${path}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

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
