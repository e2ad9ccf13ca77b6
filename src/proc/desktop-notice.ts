/**
 * Notices on the desktop: `notify-send` over the session bus on Linux, `osascript` on macOS, each started with its text as arguments
 * and never through a shell. A notice takes the place of the one before.
 *
 * Where there is no bus, no program or another system there is no notifier, and whatever goes wrong later is silent: a notice that
 * cannot be shown must not disturb. Windows has none, because it would take a script.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProgram, trustOutside } from "./plan/find-program.ts";

export interface DesktopNotice {
  readonly title: string;
  readonly body: string;
  /** low: nobody has to do anything. */
  readonly urgency: "low" | "normal" | "critical";
  /** The label of a button, and what happens when it is pressed. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface DesktopNotifier extends Disposable {
  show(notice: DesktopNotice): void;
}

type Environment = Readonly<Record<string, string>>;

/** @returns `undefined` where no notice can be shown */
export function openDesktopNotifier(
  environment: Environment,
  platform: string = process.platform,
): DesktopNotifier | undefined {
  const find = (name: string): string | undefined => {
    const found = findProgram(name, trustOutside(environment["PATH"] ?? "", []));
    return "path" in found ? found.path : undefined;
  };
  const program =
    platform === "linux" && hasBus(environment)
      ? find("notify-send")
      : platform === "darwin"
        ? find("/usr/bin/osascript")
        : undefined;
  if (program === undefined) return undefined;
  const form = platform === "linux" ? "notify-send" : "osascript";
  return new ShownNotices(program, form, environment);
}

/** Without one a library would start a bus of its own, which nobody listens to. */
function hasBus({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: Environment): boolean {
  if (DBUS_SESSION_BUS_ADDRESS) return true;
  return XDG_RUNTIME_DIR !== undefined && existsSync(join(XDG_RUNTIME_DIR, "bus"));
}

type Form = "notify-send" | "osascript";

/** The text is no part of the script. */
const SHOW_ARGUMENTS = "display notification (item 2 of argv) with title (item 1 of argv)";

/** The arguments of the program. @param replaces the number of the notice in whose place this one comes */
export function noticeArguments(form: Form, notice: DesktopNotice, replaces?: string): string[] {
  const { title, body, urgency, action } = notice;
  if (form === "osascript")
    return [...["on run argv", SHOW_ARGUMENTS, "end run"].flatMap((line) => ["-e", line]), title, body];
  return [
    "--app-name=ringfence",
    `--urgency=${urgency}`,
    "--print-id",
    ...(replaces === undefined ? [] : [`--replace-id=${replaces}`]),
    // Nothing is to be done about it, so it goes by itself.
    ...(urgency === "low" ? ["--expire-time=5000"] : []),
    ...(action ? [`--action=open=${action.label}`] : []),
    "--",
    title,
    // Desktops read the body as markup.
    body.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  ];
}

/** A number and a word; a program that says more is not listened to. */
const MAX_SAID_BYTES = 1024;

class ShownNotices implements DesktopNotifier {
  readonly #program: string;
  readonly #form: Form;
  readonly #env: Environment;
  #child: Bun.Subprocess<"ignore", "pipe", "ignore"> | undefined;
  #number: string | undefined;

  constructor(program: string, form: Form, environment: Environment) {
    this.#program = program;
    this.#form = form;
    this.#env = { ...environment };
  }

  show(notice: DesktopNotice): void {
    this.#endChild();
    const args = noticeArguments(this.#form, notice, this.#number);
    try {
      const child = Bun.spawn([this.#program, ...args], {
        env: this.#env,
        stdio: ["ignore", "pipe", "ignore"],
      });
      this.#child = child;
      this.#listen(child, notice).catch(() => undefined);
    } catch {
      // It was removed meanwhile.
    }
  }

  /** `notify-send` says the number of its notice, and waits until a button is pressed or the notice is gone. */
  async #listen(child: Bun.Subprocess<"ignore", "pipe", "ignore">, { action }: DesktopNotice): Promise<void> {
    let said = "";
    for await (const bytes of child.stdout) {
      said += new TextDecoder().decode(bytes);
      if (said.length > MAX_SAID_BYTES) return;
      const [number] = said.split("\n");
      if (this.#child === child && /^\d{1,10}$/.test(number ?? "")) this.#number = number;
    }
    if (this.#child === child && said.split("\n").includes("open")) action?.run();
  }

  #endChild(): void {
    this.#child?.kill();
    this.#child = undefined;
  }

  [Symbol.dispose](): void {
    this.#endChild();
  }
}
