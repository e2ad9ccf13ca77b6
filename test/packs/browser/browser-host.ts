/**
 * A host with the pack `browser` and the Chromium of this machine, as a program of its own. The servers of the tests
 * listen on this machine, so their addresses stand in the configuration as they are.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { lookAt, descendantsOf } from "../../../src/proc/tree/processes.ts";
import { hasLandlock } from "../../binary/has-landlock.ts";
import { component } from "../../components/component.ts";
import { commandLineOf } from "../../proc/find-running.ts";
import { until } from "../../waits/until.ts";
import { openWebHost, type WebAnswer, type WebHost } from "../web/web-host.ts";

const chromium = component("chromium-headless-shell");

/** Why tests with a browser cannot run here. */
export const browsing: { readonly isMissing: boolean; readonly note: string } = {
  isMissing: chromium.isMissing || !hasLandlock(),
  note: chromium.note === "" && !hasLandlock() ? " (needs a kernel with Landlock)" : chromium.note,
};

export const CHROMIUM: string = Bun.which("chromium-headless-shell") ?? "/usr/bin/chromium-headless-shell";

interface BrowserHostOptions {
  readonly reach: readonly string[];
  /** Under `packs.browser`, besides. */
  readonly browser?: object;
  /** Beside `packs`. */
  readonly config?: object;
}

export async function openBrowserHost({ reach, browser = {}, config = {} }: BrowserHostOptions): Promise<WebHost> {
  const packs = { browser: { program: CHROMIUM, network: { reach }, ...browser } };
  return await openWebHost({ config: { results: "structured", ...config, packs } });
}

/** The processes of the host's browser: those that came from its launcher and have Chromium in their command line. */
export function browserProcesses({ serve }: WebHost): readonly number[] {
  return descendantsOf(serve.child.pid).filter(
    (pid) => /chromium/.test(commandLineOf(pid)) && lookAt(pid)?.state !== "Z",
  );
}

/** The folders that started programs have of their own. */
export function runFolders({ place }: WebHost): readonly string[] {
  const folder = join(place.stateDir, "run");
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Nothing of a browser is left: no process, no profile. */
export async function nothingLeft(host: WebHost): Promise<void> {
  await until("the end of the browser", () => browserProcesses(host).length === 0);
  await until("the end of its folder", () => runFolders(host).length === 0);
}

/** Width and height of the picture in an answer as they are after decoding, and its type. */
export async function pictureIn({ result }: WebAnswer): Promise<{ width: number; height: number; mime: string }> {
  const image = result.content?.find(({ type }) => type === "image") as { data: string; mimeType: string } | undefined;
  if (!image) throw new Error(JSON.stringify(result));
  const { width, height } = await new Bun.Image(Buffer.from(image.data, "base64")).metadata();
  return { width, height, mime: image.mimeType };
}
