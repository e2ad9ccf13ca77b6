/**
 * Programs that a star turns into any program, besides those that the shell's own tables name: there they stand in rows with
 * harmless ones (`sort` with `head`, `cargo` with `gcc`), because a line of theirs is judged by its options.
 *
 * Usual mistake: to name what every rule needs. `go test *` and `docker ps *` are no wider than `npm test *`, and stay unnamed.
 */
interface WideProgram {
  /** In words that follow its name. */
  readonly what: string;
  /** The verbs behind which any text is too much; without a list it is too much anywhere. */
  readonly verbs?: readonly string[];
}

const STARTER: WideProgram = { what: "a program that can start any other one" };
const BUILDER = "which fetches, builds and runs any code";
const CONTAINERS: WideProgram = {
  what: "which runs any program of any image",
  verbs: ["run", "exec", "create", "build", "buildx", "compose", "container"],
};

/** Ansible is a family of programs, which all take tasks. */
const ANSIBLE: WideProgram = { what: "which runs any task on any machine" };

const PROGRAMS: Readonly<Record<string, WideProgram>> = {
  // `--to-command`, `-e`, `-TT`, `--pre`, `--compress-program`.
  tar: STARTER,
  bsdtar: STARTER,
  rsync: STARTER,
  zip: STARTER,
  rg: STARTER,
  sort: STARTER,
  crontab: { what: "which leaves any command for later" },
  docker: CONTAINERS,
  podman: CONTAINERS,
  kubectl: {
    what: "which runs any program in a cluster",
    verbs: ["run", "exec", "debug", "apply", "create", "plugin"],
  },
  go: { what: BUILDER, verbs: ["run", "install", "get", "generate", "tool"] },
  cargo: { what: BUILDER, verbs: ["run", "r", "install"] },
  dotnet: { what: BUILDER, verbs: ["run", "exec", "tool", "script", "add", "msbuild"] },
  terraform: {
    what: "which runs any provider and what a file names",
    verbs: ["init", "apply", "destroy", "console"],
  },
  ansible: ANSIBLE,
  make: { what: "which runs whatever a file or an option names", verbs: [] },
};

/** What stands before the program that is meant: other programs, their options and times, and variables. */
const BEFORE =
  /^(?:sudo|doas|env|nice|ionice|timeout|time|nohup|setsid|stdbuf|xargs|-[^*]*|[\d.]+[smhd]?|[A-Za-z_]\w*=[^*]*)$/;

/** @returns what the pattern of an allow rule lets through, in words that follow "it allows" */
export function findWideProgram(pattern: string): string | undefined {
  for (const part of pattern.split(/&&|\|\||[;|&\n]/)) {
    const words = part
      .trim()
      .replaceAll(/["'\\]/g, "")
      .split(/\s+/);
    const at = words.findIndex((word) => !BEFORE.test(word));
    const found = at < 0 ? undefined : widthOf(words[at] ?? "", words.slice(at + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function widthOf(first: string, others: readonly string[]): string | undefined {
  const name = first.replace(/^.*\//, "").toLowerCase();
  const star = name.indexOf("*");
  const meant = star < 0 ? name : Object.keys(PROGRAMS).find((one) => star > 0 && one.startsWith(name.slice(0, star)));
  const program = meant === undefined ? undefined : programOf(meant);
  if (!program || (star < 0 && !hasWideStar(program, others))) return undefined;
  return `${meant}, ${program.what}`;
}

function programOf(name: string): WideProgram | undefined {
  if (name.startsWith("ansible-")) return ANSIBLE;
  return Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
}

function hasWideStar({ verbs }: WideProgram, words: readonly string[]): boolean {
  const star = words.findIndex((word) => word.includes("*"));
  if (star < 0) return false;
  if (!verbs) return true;
  const verb = words.slice(0, star).find((word) => !word.startsWith("-"));
  if (verb !== undefined) return verbs.includes(verb);
  const begun = words[star]?.split("*", 1)[0] ?? "";
  return begun === "" || begun.startsWith("-") || verbs.some((one) => one.startsWith(begun));
}
