/**
 * What a start hands to the process behind the fence, and what it loads of packs.
 */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "../base/code-of.ts";
import { loadPacks, planPacks, resolveConfig, type RawConfig } from "../../src/config/index.ts";
import type { PackPlan } from "../../src/contract/index.ts";
import { packTools } from "../../scripts/docs/pack-tools.ts";
import { OPTIONAL_PACKS } from "../../src/packs/optional.ts";
import { PLANS } from "../../src/packs/plans.ts";

const stateDir = join(realpathSync(mkdtempSync(join(tmpdir(), "started-"))), "state");

/** A value of every kind that a configuration can hold. */
const RAW: RawConfig = {
  roots: [tmpdir(), `${tmpdir()}:ro`],
  stateDir,
  legacyEncoding: "windows-1252",
  rules: [{ deny: "write_file(a/**)", reason: "no" }],
  hooks: [{ tool: "*", before: ["/bin/true"], action: "confirm" }],
  commands: { build: { description: "Builds.", program: "make", network: { reach: ["a.example:443"] } } },
  shell: { enabled: true },
  budgets: { call: { bytes_out: 1000 } },
  secrets: { except: ["a.env"] },
  undoMaxBytes: "0",
  packSettings: { web: { network: { reach: ["a.example:443"] } } },
  network: { ranges: ["10.0.0.0/8"] },
};

test("the configuration is the same after it was carried behind the fence", () => {
  const config = resolveConfig(RAW);
  expect(JSON.parse(JSON.stringify(config))).toEqual(config);
});

async function said(load: Promise<unknown>): Promise<string> {
  return await load.then(() => "nothing", String);
}

function places({ powers = [] }: Pick<PackPlan<unknown>, "powers">): readonly unknown[] {
  return powers.map(({ name, runsIn, memoryMb }) => [name, runsIn, memoryMb]);
}

describe("the plans of the packs", () => {
  test("the plans of the packs are those of the packs", async () => {
    for (const [name, optional] of Object.entries(OPTIONAL_PACKS)) {
      const [plan, pack] = [PLANS[name as keyof typeof PLANS], await optional.load()];
      expect([plan.name, plan.title, pack.name, pack.config === plan.config]).toEqual([name, pack.title, name, true]);
      expect(places(plan)).toEqual(places(pack));
    }
  });

  test("a pack is said to bring each of its tools, by all of their names", async () => {
    for (const [name, { brings }] of Object.entries(OPTIONAL_PACKS)) {
      const tools = await packTools(name as keyof typeof OPTIONAL_PACKS);
      const names = tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
      // Names of another system, for tools that have no alias.
      const brought = Object.keys(brings()).filter((one) => !one.startsWith("minio."));
      expect(brought.sort()).toEqual(names.sort());
    }
  });

  test("a start knows what a pack reaches, reads and runs, and nothing of one that is off", async () => {
    const packSettings = {
      web: { network: { reach: ["a.example:443"] } },
      memory: { embedder: { file: "/srv/model" } },
    };
    const plans = await planPacks({ packSettings, dialect: "ringfence" });
    expect(plans.map(({ name, powers, reads }) => [name, powers.map((power) => power.name), reads])).toEqual([
      ["web", ["pages"], []],
      ["memory", [], ["/srv/model"]],
    ]);
    expect(plans[0]?.network?.reach).toEqual(["a.example:443"]);
    expect(await planPacks({ packSettings: {}, dialect: "ringfence" })).toEqual([]);
  });

  test.each([
    ["a key that the pack does not have", { web: { hosts: [] } }],
    ["a host that is none", { web: { network: { reach: ["http://a"] } } }],
    ["an empty host", { web: { network: { reach: [""] } } }],
    ["a host of a thousand signs", { web: { network: { reach: ["a".repeat(1000)] } } }],
    ["a pack that does not exist", { wep: {} }],
  ])("%s is refused in the same words with and without the tools", async (_, packSettings) => {
    const config = { packSettings, dialect: "ringfence" as const };
    expect(await said(planPacks(config))).toBe(await said(loadPacks(config)));
    expect(await said(planPacks(config))).toContain("Cannot start: packs.");
  });
});

test("the code of a failure stays the same when a pack is planned", async () => {
  const plan = planPacks({ packSettings: { wep: {} }, dialect: "ringfence" });
  expect(
    await plan.catch((thrown: unknown) =>
      codeOf(() => {
        throw thrown;
      }),
    ),
  ).toBe("invalid_input");
});
