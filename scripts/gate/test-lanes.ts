/**
 * Which test files run when. Every `*.test.ts` belongs to one lane; what is named nowhere here is `fast`.
 *
 * fast   part of `bun run ok`: seconds of work, beside other files
 * long   only in `npm test`: beside other files, before the fast ones, because the longest should start first
 * alone  only in `npm test`, at the end, one file at a time: it looks at something that the machine has once
 *
 * Invariant: a pattern that names no file is a mistake and `test/build/test-lanes.test.ts` finds it.
 */
export type Lane = "fast" | "long" | "alone";

/** Glob patterns below `test/`, each with what the file needs the machine for. */
export const ALONE: Readonly<Record<string, string>> = {
  "binary/examples.test.ts": "`npm start` builds dist/ringfence anew, under the feet of whoever is just starting it",
  "proc/control-group.test.ts": "counts and ends control groups of the machine",
  "proc/leaks.test.ts": "counts processes and descriptors after hundreds of starts",
  "race/*.test.ts": "its racer takes a core, and wants its turn",
  "clients/{clients,guarded-clients,init-clients}.test.ts":
    "starts agents, each of which takes the cores for seconds and has limits of its own",
  "crash/crash.test.ts": "two lanes of hosts under strace, each call of which waits for the disk",
};

/** Glob patterns below `test/`: they start the executable, play many rounds, or ask another program for the truth. */
export const LONG: readonly string[] = [
  "attack/**",
  "binary/**",
  "build/{commit-hook,record-order}.test.ts",
  "cli/**",
  "client/**",
  "crash/**",
  "dialects/**",
  "docs/**",
  "hints/**",
  "library/**",
  "memory/**",
  "notify/**",
  "proc/**",
  "race/**",
  "systems/**",
  "upstream/**",
  "watch/**",
  "audit/verify.test.ts",
  "pool/{long-jobs,pool}.test.ts",
  "reach/rebind.test.ts",
  "recorded/replay.test.ts",
  "jobs/copy-progress.test.ts",
  "files/read-large.test.ts",
  "jobs/search-apart.test.ts",
  "scope/{fuzz,other-roots,property,special-files}.test.ts",
  "shell/wrapping.test.ts",
  "text/{patch-differential,patch-hostile,unified-diff}.test.ts",
  "search/{backtracking,differential,give-way,glob,ignore-rules,whole-tree}.test.ts",
  "packs/{answer-size,pack,replace,replace-property,scenarios}.test.ts",
  "packs/browser/**",
  "packs/git/**",
  "packs/k8s/**",
  "packs/media/**",
  "packs/objects/**",
  "packs/web/**",
  "page/**",
  "txn/{model,mounts,order-patch,prepare-again-property,prepare-property,recover}.test.ts",
  "host/{bridge,bridge-clients,client-roots,commands,dead-host,long-commands,names,narrowed-roots,trailing-slash}.test.ts",
  "host/{policy,secrets,shared-workers,shell-tool}.test.ts",
  "methods/{explain,extension-methods,suggested-rules}.test.ts",
  "pipeline/{approvals,argument-slips,exact-calls,idempotency,kept-files,modes,observations,permissions,proposals,review-wait,sizes,taken-as-made,undecided}.test.ts",
  "session/{baselines,budgets,resume-baselines}.test.ts",
  "surfaces/{complete,resources}.test.ts",
];

/** @param path below the repository: `test/text/apply-edits.test.ts` */
export function laneOf(path: string): Lane {
  const name = path.replace(/^test\//, "");
  if (Object.keys(ALONE).some((pattern) => new Bun.Glob(pattern).match(name))) return "alone";
  return LONG.some((pattern) => new Bun.Glob(pattern).match(name)) ? "long" : "fast";
}
