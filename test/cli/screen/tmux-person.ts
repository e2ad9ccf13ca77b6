/**
 * A person at a terminal of tmux, which is a real one: it answers escapes, knows wide characters, and its cells can be read. The
 * screen is what a person sees, and keys go in one by one, or together as a paste does.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "../../binary/build-binary.ts";
import type { Place } from "../../binary/serve-process.ts";
import { until } from "../../waits/until.ts";

export interface PersonOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Words of a shell before those of the program. */
  readonly before?: string;
}

export class TmuxPerson implements Disposable {
  readonly #folder: string = mkdtempSync(join(tmpdir(), "rf-tmux-"));
  readonly #socket: string = join(this.#folder, "s");

  /** Starts a shell in a terminal, and `ringfence review` in that. */
  static async start(
    place: Place,
    { columns = 80, rows = 24, args = [], env = {}, before = "" }: PersonOptions = {},
  ): Promise<TmuxPerson> {
    const person = new TmuxPerson();
    const words = [await binaryPath(), "review", ...args, "--state-dir", place.stateDir];
    const environment = { HOME: place.path, TMPDIR: person.#folder, COLORTERM: "", ...env };
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
    person.#tmux(
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      String(rows),
      "-c",
      place.root,
      "PS1='$ ' bash --norc",
    );
    await until("the shell is there", () => person.screen.includes("$"));
    person.type(
      `stty -a > ${quoted(join(person.#folder, "before"))}; env ${settings.join(" ")} ${before} ${words.map(quoted).join(" ")}; echo ended $?\r`,
    );
    return person;
  }

  /** The rows of the screen, without what is behind it. */
  get screen(): string {
    return this.#tmux("capture-pane", "-p");
  }

  /** The rows with their codes of colour. */
  get styledScreen(): string {
    return this.#tmux("capture-pane", "-p", "-e", "-N");
  }

  /** The last row, which says which keys there are and whether they count. */
  get keys(): string {
    return this.screen.trimEnd().split("\n").at(-1) ?? "";
  }

  /** Each goes in by itself, as a hand types. */
  press(...keys: readonly string[]): void {
    for (const key of keys) this.#tmux("send-keys", key);
  }

  /** All of it at once. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  paste(text: string): void {
    this.#tmux("set-buffer", text);
    this.#tmux("paste-buffer", "-p");
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  async sees(words: string): Promise<void> {
    await until(`the words ${JSON.stringify(words)} on the screen:\n${this.screen}`, () =>
      this.screen.includes(words),
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\nThe screen:\n${this.screen}`);
    });
  }

  /** Waits until keys decide, after which nothing moves by itself but ages. */
  async settled(): Promise<void> {
    await until("keys count", () => !this.screen.includes("[wait]") && !this.screen.includes("Loading ..."));
  }

  /** Waits until the screen says that keys decide, and presses one that does. */
  async decide(key: string, words = ""): Promise<void> {
    await until(`${key} to count at ${words}`, () => {
      const { screen } = this;
      return screen.includes(words) && !screen.includes("[wait]") && !screen.includes("Loading ...");
    });
    this.press(key);
  }

  /** The process that runs in the terminal. */
  get pid(): number {
    const shell = this.#tmux("display-message", "-p", "#{pane_pid}").trim();
    return Number(Bun.spawnSync(["pgrep", "-P", shell]).stdout.toString().trim().split("\n")[0]);
  }

  /** What the terminal says about itself after the review, beside what it said before. */
  async terminalAfter(): Promise<{ readonly before: string; readonly after: string }> {
    const [before, after] = [join(this.#folder, "before"), join(this.#folder, "after")];
    this.type(`stty -a > ${quoted(after)}; echo look''ed\r`);
    await this.sees("looked");
    return { before: await modesIn(before), after: await modesIn(after) };
  }

  get isOnAlternateScreen(): boolean {
    return this.#tmux("display-message", "-p", "#{alternate_on}").trim() === "1";
  }

  [Symbol.dispose](): void {
    Bun.spawnSync(["tmux", "-S", this.#socket, "kill-server"]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): string {
    const { stdout, stderr, exitCode } = Bun.spawnSync(["tmux", "-S", this.#socket, "-f", "/dev/null", ...args], {
      env: { PATH: process.env["PATH"], LANG: "C.UTF-8", TERM: "xterm-256color" },
    });
    if (exitCode !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What `stty -a` has written; the size is the window's. */
async function modesIn(path: string): Promise<string> {
  return (await Bun.file(path).text()).replace(/rows \d+; columns \d+;/, "");
}
