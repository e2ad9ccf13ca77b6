/**
 * Nothing tells whether something outside the roots exists: not the failure, not its words, and nothing that takes time.
 *
 * Each pair of paths leads outside by the same way, one to something and one to nothing. The kernel is asked for the same
 * in both cases and answers the same; a difference in time could only come from there. The control shows that a program
 * that looks outside would be found out. `bench/probes/no-oracle.ts` has the times.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { Failure } from "../../src/base/index.ts";
import { callOutside, CONTAINMENTS, layOutsidePairs, openOutsideScope, outsidePairs } from "./outside-pairs.ts";
import { canTrace, traceOutsidePairs, type Traces } from "./trace-outside-pairs.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-oracle-")));
const pairs = outsidePairs(top).map((pair, at) => [pair.call, pair.way, pair, at] as const);

beforeAll(() => layOutsidePairs(top));
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe.each(CONTAINMENTS)("containment %s", (containment) => {
  const isHere = containment === "portable" || process.platform === "linux";

  test.skipIf(!isHere).each(pairs)("%s by %s, the same words", (call, _way, { there, absent }) => {
    expect(wordsOf(call, there)).toBe(wordsOf(call, absent));
  });

  describe.skipIf(!isHere || !canTrace())(`by its system calls${component("strace").note}`, () => {
    let traces: Traces;
    beforeAll(async () => {
      traces = await traceOutsidePairs(top, containment);
    });

    test.each(pairs)("%s by %s, the same calls", (_call, _way, _pair, at) => {
      const { there, absent } = traces.pairs[at] ?? {};
      expect(there).toBeString();
      expect(there).toBe(absent);
    });

    test("some calls are made at all, and none finds what is outside", () => {
      const made = traces.pairs.filter(({ there }) => there !== "");
      expect(made.length).toBeGreaterThan(traces.pairs.length / 2);
      for (const { there } of made) expect(there).not.toMatch(/^(?!readlink).*outside\/.*= [^-]/m);
    });

    test("the control: a host that looks outside before it refuses is found out", () => {
      expect(traces.control.there).not.toBe(traces.control.absent);
    });
  });

  /** What the caller is told, up to the path that the caller gave; of a link itself, where it leads. */
  function wordsOf(call: string, path: string): string {
    using scope = openOutsideScope(top, containment);
    const found = callOutside(call, scope, path);
    if (found instanceof Failure) {
      expect(found.code).toBe("outside_scope");
      return JSON.stringify(found.data).replaceAll(path, "PATH");
    }
    const { link_leads, link_target } = found as { link_leads?: string; link_target?: unknown };
    return `${link_leads} ${String(link_target)}`;
  }
});
