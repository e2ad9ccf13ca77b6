/**
 * What stands under `packs.browser` in the configuration. Without a list of hosts nothing is reached.
 */
import * as z from "zod/mini";
import { described } from "../../contract/described.ts";
import type { SettingsByKey } from "../../contract/index.ts";
import { networkSettings, SIMPLE_NETWORK, type NetworkSettings } from "../network-settings.ts";
import { simpleText } from "../simple-settings.ts";

export interface BrowserSettings {
  readonly program: string;
  readonly network: NetworkSettings;
  readonly idle_seconds: number;
  readonly memory_mb: number;
  readonly width: number;
  readonly height: number;
}

/** A blank page takes 500, most of it shared and counted for each process. */
const USUAL_MEMORY_MB = 3072;
const USUAL_IDLE_SECONDS = 300;
const [WIDTH, HEIGHT] = [1280, 800] as const;

const ABSOLUTE = /^\//;
const MAX_PROGRAM_CHARS = 1000;

const side = (usual: number): z.ZodMiniNumberFormat =>
  described(z.int().check(z.minimum(320), z.maximum(3840)), `Of its window, in pixels. Default ${usual}.`);

export const BROWSER_SETTINGS: SettingsByKey<BrowserSettings> = {
  usual: {
    network: { reach: [] },
    idle_seconds: USUAL_IDLE_SECONDS,
    memory_mb: USUAL_MEMORY_MB,
    width: WIDTH,
    height: HEIGHT,
  },
  simple: { program: simpleText(ABSOLUTE, MAX_PROGRAM_CHARS), network: SIMPLE_NETWORK },
  keys: {
    program: () =>
      described(
        z.string().check(z.regex(ABSOLUTE, "it must be an absolute path"), z.maxLength(MAX_PROGRAM_CHARS)),
        "An installed Chromium, Chrome or chromium-headless-shell, as an absolute path.",
      ),
    network: () =>
      networkSettings(
        "Hosts that pages may come from and speak to. What is not listed is denied, and nobody is asked.",
      ),
    idle_seconds: () =>
      described(
        z.int().check(z.minimum(1), z.maximum(86_400)),
        `The browser ends when nobody has used it for so long. Default ${USUAL_IDLE_SECONDS}.`,
      ),
    memory_mb: () =>
      described(
        z.int().check(z.minimum(512), z.maximum(65_536)),
        `Megabytes of all its processes together; with more it is ended. Default ${USUAL_MEMORY_MB}.`,
      ),
    width: () => side(WIDTH),
    height: () => side(HEIGHT),
  },
};
