/**
 * Agents from npm that tests drive: each in a folder of its own outside of the project, put there by
 * `scripts/test-components.sh` (the small set) or `scripts/test-components.sh --clients=all`. A test that lacks one is skipped,
 * and says so in its title.
 *
 * Usual mistake: to start one through its launcher in `bin`, which is a stub where no install script has run.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { component, type Component } from "./component.ts";
import { hasOwnNetwork } from "./own-network.ts";

export type ClientName = "claude-code" | "codex" | "gemini-cli" | "opencode" | "copilot" | "qwen-code";

export interface NpmClient extends Component {
  /** What starts the program; more than one word where Node has to run it. */
  readonly command: readonly string[];
}

export interface ClientPackage {
  readonly package: string;
  readonly version: string;
  /** Below `node_modules`; the first file that fits. */
  readonly program: string;
  /** The oldest Node that runs it, where the program is a script. */
  readonly node?: number;
  /** Whether it comes only with `--clients=all`. */
  readonly isExtra?: true;
}

const PLATFORM: string = `${process.platform}-${process.arch}`;

/** `test/build/test-components.test.ts` holds that the script installs exactly these. */
export const CLIENT_PACKAGES: Readonly<Record<ClientName, ClientPackage>> = {
  "claude-code": {
    package: "@anthropic-ai/claude-code",
    version: "2.1.330",
    program: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
  },
  codex: {
    package: "@openai/codex",
    version: "0.169.0",
    program: `@openai/codex-${PLATFORM}/vendor/*/bin/codex`,
  },
  "gemini-cli": {
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: "@google/gemini-cli/bundle/gemini.js",
    node: 20,
  },
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    // The other one of x64 needs AVX2.
    program: `opencode-${PLATFORM}${process.arch === "x64" ? "-baseline" : ""}/bin/opencode`,
  },
  copilot: {
    package: "@github/copilot",
    version: "1.0.102",
    program: `@github/copilot-${PLATFORM}/copilot`,
    isExtra: true,
  },
  "qwen-code": {
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    program: "@qwen-code/qwen-code/cli-entry.js",
    node: 22,
    isExtra: true,
  },
};

/** For clients that need a newer Node than the machine has. */
export const NODE_VERSION: string = "24.21.0";

/** The client, when it is there and can be started in a network of its own. */
export function npmClient(name: ClientName): NpmClient {
  const client = CLIENT_PACKAGES[name];
  const programs = component("git", "ip", "unshare");
  if (programs.isMissing) return { ...programs, command: [] };
  if (!hasOwnNetwork())
    return {
      isMissing: true,
      note: " (needs root or user namespaces, for a network of its own)",
      command: [],
    };
  const script = `scripts/test-components.sh${client.isExtra ? " --clients=all" : ""}`;
  const missing = (what: string): NpmClient => ({
    isMissing: true,
    note: ` (needs ${what}: ${script})`,
    command: [],
  });
  const modules = join(cacheFolder(), `${name}-${client.version}`, "node_modules");
  const [program] = existsSync(modules) ? new Bun.Glob(client.program).scanSync(modules) : [];
  if (program === undefined) return missing(`${client.package}@${client.version}`);
  if (client.node === undefined) return { isMissing: false, note: "", command: [join(modules, program)] };
  const node = findNode(client.node);
  if (node === undefined) return missing(`Node ${client.node}`);
  return { isMissing: false, note: "", command: [node, join(modules, program)] };
}

/** As in the script: outside of the project, so that a fresh checkout finds them. */
function cacheFolder(): string {
  const caches = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(caches, "ringfence-test", "clients");
}

function findNode(oldest: number): string | undefined {
  const own = Bun.which("node");
  const cached = join(cacheFolder(), `node-${NODE_VERSION}`, "node_modules", `node-${PLATFORM}`, "bin", "node");
  return [own, cached].find((path): path is string => path !== null && existsSync(path) && majorOf(path) >= oldest);
}

function majorOf(node: string): number {
  const { stdout } = Bun.spawnSync([node, "--version"], { stdin: "ignore" });
  return Number(/^v(\d+)/.exec(stdout.toString())?.[1]);
}
