/**
 * A note that cannot be read during a search: the answer says so, and the next search finds what is in it as soon as it can be
 * read again.
 */
import { expect, test } from "bun:test";
import { chmodSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { layFiles } from "../host/file-tree.ts";

/** Root without the capabilities by which it reads what nobody may read. */
const HELD = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

function canBeRefused(): boolean {
  if (process.platform === "win32" || (HELD.length > 0 && component("setpriv").isMissing)) return false;
  using place = new Place();
  const file = join(place.root, "closed");
  writeFileSync(file, "x");
  chmodSync(file, 0);
  return Bun.spawnSync([...HELD, "cat", file], { stderr: "ignore" }).exitCode !== 0;
}

test.skipIf(!canBeRefused())(
  `a note that could not be read is found when it can be read again, and meanwhile the answer says so${component("setpriv").note}`,
  async () => {
    using place = new Place();
    const notes = join(place.stateDir, "memory");
    const config = join(place.path, "config.json");
    writeFileSync(config, JSON.stringify({ packs: { memory: {} }, rules: [{ deny: "memory_*(person/**)" }] }));
    layFiles(notes, {
      "shut.md": "The pomegranate is ripe.\n",
      "person/shut.md": "A private pomegranate.\n",
      "open.md": "A banana and a pomegranate.\n",
    });
    for (const name of ["shut", "person/shut"]) {
      // Older than what is looked at again because it may be written in the same moment.
      utimesSync(join(notes, `${name}.md`), 1e9, 1e9);
      chmodSync(join(notes, `${name}.md`), 0);
    }
    const [binary, ...command] = [...HELD, process.execPath, join(import.meta.dir, "../../src/main.ts"), "serve"];
    const args = ["--root", place.root, "--state-dir", place.stateDir, "--config", config, "--fence=off"];
    await using host = await ServeProcess.start(place, {
      binary: Bun.which(binary) ?? binary,
      command: [...command, ...args],
    });
    let id = 0;
    const search = async (): Promise<string> => {
      host.call(++id, "memory_search", { query: "pomegranate" });
      const { result } = await host.answer(id);
      return (result?.content ?? []).map(({ text = "" }) => text).join("\n");
    };
    for (let round = 0; round < 2; round++) {
      const without = await search();
      expect(without).toContain("open:1");
      expect(without).not.toContain("shut:1");
      // Of one that a rule closes nothing is told.
      expect(without).toContain("documents that could not be read, and were not searched: 1");
    }
    for (const name of ["shut", "person/shut"]) chmodSync(join(notes, `${name}.md`), 0o644);
    const whole = await search();
    expect(whole).toContain("shut:1");
    expect(whole).not.toContain("could not be read");
  },
);
