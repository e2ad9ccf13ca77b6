/**
 * Every attack of the data, as it is written, against the compiled binary: one host for each configuration. The long form,
 * which spells each of them in other ways, is `bun run test:attack`.
 */
import { expect, test } from "bun:test";
import { hasLandlock } from "../binary/has-landlock.ts";
import { playTries } from "./play-tries.ts";
import { isPlayed, readConfigurations, readTries } from "./read-tries.ts";

const tries = readTries();
const configurations = Object.entries(readConfigurations());

for (const [name, configuration] of configurations) {
  const own = tries.filter((one) => one.configuration === name && isPlayed(one));
  const isHere = configuration.needs !== "fence" || hasLandlock();
  test.if(isHere)(`no try breaks a host with ${name}`, async () => {
    expect(await playTries(configuration, own)).toEqual([]);
  });
}

test("every try names a configuration, every configuration has tries, and no try stands twice", () => {
  const named = new Set(tries.map((one) => one.configuration));
  expect([...named].sort()).toEqual(configurations.map(([name]) => name).sort());
  const titles = tries.map(({ area, what }) => `${area}: ${what}`);
  expect(new Set(titles).size).toBe(titles.length);
});
