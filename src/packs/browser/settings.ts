/**
 * What stands under `packs.browser` in the configuration. Without a list of hosts nothing is reached.
 */
import * as z from "zod";
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

const side = (usual: number): z.ZodInt =>
  z.int().min(320).max(3840).describe(`Of its window, in pixels. Default ${usual}.`);

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
        .regex(/^\//, "it must be an absolute path")
        .max(1000)
        .describe("An installed Chromium, Chrome or chromium-headless-shell, as an absolute path."),
    network: () =>
      z
        .strictObject({
          reach: z
            .array(z.string().min(1).max(1000).describe("host:port, host, *.suffix or an address."))
            .describe(
              "Hosts that pages may come from and speak to. What is not listed is denied, and nobody is asked.",
            ),
        })
        .describe("What it may reach. Default nothing."),
    idle_seconds: () =>
      z
        .int()
        .min(1)
        .max(86_400)
        .describe(`The browser ends when nobody has used it for so long. Default ${USUAL_IDLE_SECONDS}.`),
    memory_mb: () =>
      z
        .int()
        .min(512)
        .max(65_536)
        .describe(`Megabytes of all its processes together; with more it is ended. Default ${USUAL_MEMORY_MB}.`),
    width: () => side(WIDTH),
    height: () => side(HEIGHT),
  },
};
