/**
 * The parameters and result members that several tools share, so that the same thing has the same name, limits and words
 * everywhere. Each is a function, because schemas are built when they are first looked at, and most processes look at few.
 */
import * as z from "zod";
import { limits } from "../base/index.ts";

export const path = (what: string): z.ZodString =>
  z.string().describe(`${what}. Relative to the first root, or absolute inside a root.`);

export const optionalPath = (): z.ZodOptional<z.ZodString> =>
  z.string().optional().describe("The directory to look in. Default: the first root.");

export const hidden = (): z.ZodOptional<z.ZodBoolean> =>
  z.boolean().optional().describe("Include names that begin with a dot.");

export const noIgnore = (): z.ZodOptional<z.ZodBoolean> =>
  z
    .boolean()
    .optional()
    .describe("Also look into what ignore files and the default skips (.git, node_modules, dist, coverage) leave out.");

export const exclude = (): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string()).optional().describe("Leave out what matches one of these globs, and what is below it.");

export const cursor = (): z.ZodOptional<z.ZodString> =>
  z.string().optional().describe("Where to go on: the cursor of the last answer.");

export const ifHash = (): z.ZodOptional<z.ZodString> =>
  z
    .string()
    .optional()
    .describe("The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale.");

/** @param usual without being asked, where more can be asked for than that */
export function limit(most: number, what: string, usual?: number): z.ZodOptional<z.ZodNumber> {
  const bounds =
    usual === undefined
      ? `Default and most: ${most}; without a limit about 32 KB of them.`
      : `Default ${usual} and about 32 KB of them, at most ${most} and what one message holds.`;
  return z.number().int().min(1).max(most).optional().describe(`${what} ${bounds}`);
}

export const depth = (): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(1).max(100).optional().describe("Levels of directories.");

type AnyRecord = z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;

const record = (): AnyRecord => z.record(z.string(), z.unknown()).optional();

/** Members of every result that can be cut. */
export const cut = (): { truncated: z.ZodBoolean; totals: AnyRecord; next: AnyRecord } => ({
  truncated: z.boolean(),
  totals: record(),
  next: record(),
});

/** Members of what a search or list answers: how many results there are, and how many the answer has. */
export const counted = (): { matched: z.ZodOptional<z.ZodNumber>; returned: z.ZodOptional<z.ZodNumber> } => ({
  matched: z.number().optional(),
  returned: z.number().optional(),
});

/** A rule about several arguments, which is told also where one of them is wrong by itself. */
export const rule = (message: string): { message: string; when: () => boolean } => ({ message, when: () => true });

/** What every changing tool answers; one with `dryRun` in its change set also has the status `tried`. */
export const changeResult = (): z.ZodObject =>
  z.looseObject({
    status: z.enum(["proposed", "applied", "unchanged"]),
    proposal: z.string().optional(),
    suggested_rules: z.array(z.string()).optional(),
    transaction: z.string().optional(),
    files: z.array(z.looseObject({ path: z.string(), operation: z.string(), hash: z.string().optional() })),
  });

export const listLimit = (): z.ZodOptional<z.ZodNumber> => limit(limits.MAX_LIST_ENTRIES, "Entries to return.");
