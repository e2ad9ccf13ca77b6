/**
 * What stands under `packs.browser` in the configuration. Without a list of hosts nothing is reached.
 */
import * as z from "zod/mini";
import type { SettingsByKey } from "../../contract/index.ts";

export interface BrowserSettings {
  readonly program: string;
  readonly network: { readonly reach: readonly string[] };
  readonly idle_seconds: number;
  readonly memory_mb: number;
  readonly width: number;
  readonly height: number;
}

/** A blank page takes 500, most of it shared and counted for each process. */
const USUAL_MEMORY_MB = 3072;
const USUAL_IDLE_SECONDS = 300;
const [WIDTH, HEIGHT] = [1280, 800] as const;

const side = (usual: number): z.ZodMiniNumberFormat =>
  z.int().check(z.minimum(320), z.maximum(3840), z.describe(`Of its window, in pixels. Default ${usual}.`));

export const BROWSER_SETTINGS: SettingsByKey<BrowserSettings> = {
  usual: {
    network: { reach: [] },
    idle_seconds: USUAL_IDLE_SECONDS,
    memory_mb: USUAL_MEMORY_MB,
    width: WIDTH,
    height: HEIGHT,
  },
  keys: {
    program: () =>
      z
        .string()
        .check(
          z.regex(/^\//, "it must be an absolute path"),
          z.maxLength(1000),
          z.describe("An installed Chromium, Chrome or chromium-headless-shell, as an absolute path."),
        ),
    network: () =>
      z
        .strictObject({
          reach: z
            .array(
              z
                .string()
                .check(z.minLength(1), z.maxLength(1000), z.describe("host:port, host, *.suffix or an address.")),
            )
            .check(
              z.describe(
                "Hosts that pages may come from and speak to. What is not listed is denied, and nobody is asked.",
              ),
            ),
        })
        .check(z.describe("What it may reach. Default nothing.")),
    idle_seconds: () =>
      z
        .int()
        .check(
          z.minimum(1),
          z.maximum(86_400),
          z.describe(`The browser ends when nobody has used it for so long. Default ${USUAL_IDLE_SECONDS}.`),
        ),
    memory_mb: () =>
      z
        .int()
        .check(
          z.minimum(512),
          z.maximum(65_536),
          z.describe(`Megabytes of all its processes together; with more it is ended. Default ${USUAL_MEMORY_MB}.`),
        ),
    width: () => side(WIDTH),
    height: () => side(HEIGHT),
  },
};
