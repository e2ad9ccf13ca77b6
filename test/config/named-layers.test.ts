/**
 * Layers that speak of one name: of a profile, a client, an agent, a provider or a skill. None of them forgets what an earlier one
 * has taken away there.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigFile } from "../../src/config/config-files.ts";
import { layerConfig } from "../../src/config/layers.ts";

test.each(["profiles", "clients", "agents", "providers", "skills"] as const)(
  "what one layer takes away under a name of %s stays away where another says more about it",
  async (key) => {
    const top = mkdtempSync(join(tmpdir(), "ringfence-layers-"));
    const put = (name: string, values: object): ConfigFile => {
      const path = join(top, name);
      writeFileSync(path, JSON.stringify({ [key]: values }));
      return { path, kind: "--config" };
    };
    try {
      const { raw } = await layerConfig({}, {}, [
        put("a.json", { a: { read_only: true, tools: { deny: ["write_file"] } }, b: { mode: "plan" } }),
        put("b.json", { a: { tools: { allow: ["grep"], deny: ["stat"] } }, c: { profile: "minimal" } }),
        put("c.json", { a: { profile: "coding" }, b: { mode: "default" } }),
      ]);
      expect(raw[key] as object).toEqual({
        a: { read_only: true, profile: "coding", tools: { allow: ["grep"], deny: ["write_file", "stat"] } },
        b: { mode: "default" },
        c: { profile: "minimal" },
      });
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  },
);
