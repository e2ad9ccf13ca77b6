/**
 * `docs/api.md`: every export of `ringfence` and of `ringfence/client` with its signature and docstring. Written by
 * `bun run docs`, compared by `--check`: an export without a docstring is an error.
 */
import { join } from "node:path";
import { REPOSITORY } from "../checks/read-sources.ts";
import { readExports, type Exported } from "./read-exports.ts";

export function apiPage(): string {
  const client = readExports(join(REPOSITORY, "src", "client", "index.ts"));
  const library = readExports(join(REPOSITORY, "src", "index.ts"));
  const both = library.filter((one) => client.some((other) => isSame(one, other)));
  const only = (all: readonly Exported[]): Exported[] => all.filter((one) => !both.some((other) => isSame(one, other)));
  return (
    [
      HEAD,
      index("ringfence", library),
      index("ringfence/client", client),
      section("## ringfence", only(library), ""),
      section("## ringfence/client", only(client), " in the client"),
      section("## Both", both, ""),
    ].join("\n\n") + "\n"
  );
}

const HEAD = `<!-- Written by \`bun run docs\` from the docstrings of src; edit those files, not this one. -->

# API reference

How these are used: [library.md](library.md). What can be imported from where:`;

function isSame(one: Exported, other: Exported): boolean {
  return one.name === other.name && one.signature === other.signature;
}

function index(from: string, all: readonly Exported[]): string {
  return `\`${from}\`: ${all.map(({ name }) => `\`${name}\``).join(", ")}.`;
}

/** @param suffix so that a name that both have differently is a heading once */
function section(heading: string, all: readonly Exported[], suffix: string): string {
  return [heading, ...all.map((one) => entry(one, suffix))].join("\n\n");
}

function entry({ name, doc, signature }: Exported, suffix: string): string {
  const code = "```ts\n" + signature + "\n```";
  return [`### ${name}${suffix}`, ...describe(doc), code].join("\n\n");
}

/** The example last, as a block of its own; the other tags as a list. */
function describe(doc: string): string[] {
  const [text = "", ...tags] = doc.split(/^@/m);
  const examples = tags.filter((tag) => tag.startsWith("example"));
  const others = tags
    .filter((tag) => !tag.startsWith("example"))
    .map(
      (tag) =>
        `- **${tag.split(/\s/)[0]}** ${tag
          .replace(/^\w+\s*/, "")
          .replaceAll(/\s*\n\s*/g, " ")
          .trim()}`,
    );
  return [
    text.trim(),
    others.join("\n"),
    ...examples.map((tag) => "```ts\n" + tag.replace(/^example\s*/, "").trim() + "\n```"),
  ].filter((part) => part !== "");
}
