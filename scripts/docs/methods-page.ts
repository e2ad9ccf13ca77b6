/**
 * `docs/methods.md` from the table of methods: names, parameters and answers. Written by `bun run docs`, compared by
 * `bun run docs -- --check`, so that the page cannot be wrong.
 */
import { describeParam, methods, paramsSchema, type Method } from "../../src/methods/index.ts";

export function methodsPage(): string {
  return [HEAD, ...methods.map(methodSection)].join("\n\n") + "\n";
}

const HEAD = `<!-- Written by \`bun run docs\` from src/methods; edit those files, not this one. -->

# The methods

What the program that runs an agent, or a person, asks of a host besides its tools. They are methods and not tools: no model
can call them. Requests are those of [the wire](wire.md); the [libraries](library.md) and the command line make them too.

A failure is an error with the code 1, and [the failure](wire.md#failures) as its \`data\`. A parameter that is not named here
fails as \`invalid_input\`, because \`{file: [...]}\` or \`{dryRun: true}\` would otherwise do more than was asked.`;

function methodSection({ name, summary, params, result }: Method): string {
  return [`## ${name}`, summary, parameters(params), `Answer: ${result}`].join("\n\n");
}

function parameters(params: Method["params"]): string {
  const rows = Object.entries(paramsSchema(params)).map(([name, schema]) =>
    row(
      `\`${name}\``,
      describeParam(schema),
      params.shape[name]?.safeParse(undefined).success ? "" : "yes",
      schema.description ?? "",
    ),
  );
  if (rows.length === 0) return "No parameters.";
  return [row("parameter", "may be", "needed", "what it is"), row("---", "---", "---", "---"), ...rows].join("\n");
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
