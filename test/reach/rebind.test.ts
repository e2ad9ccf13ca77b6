/**
 * DNS rebinding under a real resolver: a name that is listed changes its address with every answer, whose time to live is nothing.
 * `bun test/reach/rebind-run.ts 10000` is the long form.
 */
import { expect, test } from "bun:test";
import { component } from "../components/component.ts";
import { canRebind, runRebinding } from "./rebind-run.ts";

const needed = component("dnsmasq", "ip", "unshare", "mount");
const TRIES = 2000;

test.skipIf(needed.isMissing || !canRebind())(
  `a name that changes its address with every answer never leads to this machine, and one that is not listed is never asked for${needed.note}`,
  async () => {
    const { victimHeard, outcomes, asked, askedForUnlisted } = await runRebinding(TRIES);
    expect([victimHeard, askedForUnlisted]).toEqual([0, 0]);
    expect(asked).toBeGreaterThanOrEqual(TRIES);
    // Both kinds of answers came, or nothing was tried.
    expect(Object.keys(outcomes).sort()).toEqual(["denied", "public"]);
    expect(outcomes["public"]).toBeGreaterThan(0);
    expect(outcomes["denied"]).toBeGreaterThan(TRIES / 4);
  },
);
