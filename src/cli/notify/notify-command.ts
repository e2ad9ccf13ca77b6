/**
 * `ringfence notify`: tells a person that proposals wait, for those who have no review open. It looks into the state folder, decides
 * nothing, and ends silently where it could tell nobody.
 */
import { homedir } from "node:os";
import { Failure } from "../../base/index.ts";
import { loadConfig } from "../../config/index.ts";
import type { Host } from "../../host/index.ts";
import { installUserFile, openStateFolder } from "../../state/index.ts";
import { configFlags, EXIT, STATE_FLAG, type CliCommand, type ExitCode } from "../command.ts";
import { askHost, openRootlessHost } from "../open-host.ts";
import { messages, print } from "../print.ts";
import { desktopChannel, terminalChannel, webhookChannel } from "./notice-channels.ts";
import type { WaitingAsk } from "./notice-manners.ts";
import { Notifier, type NoticeChannel } from "./notifier.ts";
import { ownCommand } from "./own-command.ts";
import { SERVICE_MARK, userService } from "./user-service.ts";

export const notifyCommand: CliCommand = {
  about: "Tell you on the desktop and in this terminal when proposals wait.",
  flags: {
    ...STATE_FLAG,
    install: { about: "Write a service of your user that does it from every login on." },
    print: { about: "With install: print the service, and write nothing." },
  },
  examples: ["ringfence notify", "ringfence notify --install", "ringfence notify --install --print"],
  async run(typed) {
    const raw = configFlags(typed);
    const { config } = await loadConfig(raw, {}, false);
    if (typed.has("install")) return install(config.stateDir, typed.has("print"));
    const environment = ownEnvironment();
    const review = [...ownCommand(), "review", "--state-dir", config.stateDir];
    const channels = [
      process.stderr.isTTY ? terminalChannel(writeToTerminal, environment) : undefined,
      desktopChannel(review, environment),
      config.notifyWebhook === undefined ? undefined : webhookChannel(config.notifyWebhook),
    ].filter((channel): channel is NoticeChannel => channel !== undefined);
    if (channels.length === 0) return EXIT.ok;
    using host = await openRootlessHost(raw);
    using notifier = new Notifier({
      folder: openStateFolder(config.stateDir).proposals,
      list: async () => await listWaiting(host),
      channels,
    });
    await untilSignal(notifier);
    return EXIT.ok;
  },
};

/**
 * A review tells its own terminal, with the same manners: the window may be behind others.
 * @returns `undefined` where stderr is no terminal, or a dumb one
 */
export function notifyThisTerminal(host: Host): Disposable | undefined {
  const environment = ownEnvironment();
  // A dumb terminal is often a program that reads along: a bell behind the question is a sign too many.
  if (!process.stderr.isTTY || environment["TERM"] === "dumb") return undefined;
  const notifier = new Notifier({
    folder: openStateFolder(host.config.stateDir).proposals,
    list: async () => await listWaiting(host),
    channels: [terminalChannel(writeToTerminal, environment)],
  });
  notifier.run().catch(() => undefined);
  return notifier;
}

async function listWaiting(host: Host): Promise<readonly WaitingAsk[]> {
  const { proposals } = await askHost(host, "ringfence/proposals/list", {});
  return proposals.map(({ id, change, risk, client, expiresAt }) => ({
    id,
    change,
    risk,
    client,
    expiresMs: Date.parse(expiresAt),
  }));
}

async function untilSignal(notifier: Notifier): Promise<void> {
  const stop = (): void => notifier[Symbol.dispose]();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  await notifier.run();
}

function install(stateDir: string, isOnlyPrinted: boolean): ExitCode {
  const command = [...ownCommand(), "notify", "--state-dir", stateDir];
  const homes = { home: homedir(), configHome: process.env["XDG_CONFIG_HOME"] };
  const service = userService(command, homes, process.platform);
  if (!service)
    throw new Failure("unsupported", `Cannot install a service: ${process.platform} has no services of a user`, {
      hint: "Start `ringfence notify` with your desktop session.",
    });
  if (isOnlyPrinted) {
    print(service.text);
    return EXIT.ok;
  }
  installUserFile(service.path, service.text, SERVICE_MARK);
  print(`Wrote ${service.path}`);
  messages().info(`This starts it: ${service.start}`);
  return EXIT.ok;
}

function ownEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** In one piece, so that nothing comes between the signs of a sequence. */
function writeToTerminal(text: string): void {
  process.stderr.write(text);
}
