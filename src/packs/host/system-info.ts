/**
 * What this host is and what it allows, so that a model need not find out by failing.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { defineTool, type HostFacts, type ReadTool } from "../../contract/index.ts";

const SHOWN_LIMITS = {
  list_entries: limits.MAX_LIST_ENTRIES,
  grep_matches: limits.MAX_GREP_MATCHES,
  grep_line_bytes: limits.MAX_GREP_LINE_BYTES,
  read_bytes: limits.MAX_READ_BYTES,
  write_bytes: limits.MAX_WRITE_BYTES,
  call_ms: limits.DEFAULT_CALL_MS,
};

export const systemInfo: ReadTool = defineTool({
  name: "system_info",
  title: "About this host",
  summary:
    "Tells what this tool host is: version, platform, the roots it may reach and how they are held, what happens to changes, and its limits.",
  group: "host",
  effect: "read",
  input: () => z.strictObject({}),
  output: () =>
    z.looseObject({
      version: z.string(),
      platform: z.string(),
      fence: z.string(),
      containment: z.string(),
      durability: z.string(),
      roots: z.array(z.looseObject({ path: z.string(), access: z.string() })),
      within: z.array(z.string()).optional(),
      narrowed: z.string().optional(),
      limits: z.record(z.string(), z.number()),
    }),
  access: () => [],
  idempotent: true,
  tellsParts: true,
  run(_input, ctx) {
    const { facts } = ctx;
    const { answerBytes, ...shown } = facts;
    const bounded = { ...SHOWN_LIMITS, answer_bytes: answerBytes };
    const structured = { ...shown, limits: bounded };
    const roots = facts.roots.map((root, index) => `root ${index + 1}: ${root.path} (${root.access})`);
    const about = [
      `ringfence ${facts.version} on ${facts.platform}, ${facts.runtime}`,
      ...roots,
      ...narrowing(facts),
      `mode: ${facts.mode}`,
      `paths are held by: ${facts.containment}`,
      `fence: ${facts.fence}`,
      `durability: ${facts.durability}${facts.durability === "fast" ? UNFLUSHED : ""}`,
    ];
    const bounds = Object.entries(bounded).map(([name, value]) => `${name}: ${value}`);
    return { text: [...about, ...bounds].join("\n"), structured };
  },
});

const UNFLUSHED = " (changes are not flushed: a crash of the machine may take back what was answered)";

function narrowing({ within, narrowed }: Pick<HostFacts, "within" | "narrowed">): string[] {
  if (!within) return [];
  return [
    `the roots of the client leave of them: ${within.length === 0 ? "nothing" : within.join(", ")}`,
    ...(narrowed === undefined ? [] : [narrowed]),
  ];
}
