/**
 * Calls that a client sends without waiting: what looks at the whole memory names no note, and comes after every note that was
 * written before it.
 */
import { expect, test } from "bun:test";
import { openMemoryHost, search } from "./memory-host.ts";

test("a look at the whole memory sees every note that an earlier call wrote", async () => {
  await using host = await openMemoryHost();
  // So that nothing has to be loaded when the calls meet.
  await Promise.all([search(host, "nothing"), host.call("memory_list", {})]);
  for (const name of ["first", "second", "third"]) {
    const [, found, listed, below] = await Promise.all([
      host.call("memory_write", { namespace: `team/${name}`, content: `The ${name} server is deployed on Tuesdays.` }),
      search(host, `${name} server`),
      host.call("memory_list", {}),
      host.call("memory_list", { prefix: `team/${name.slice(0, 2)}` }),
    ]);
    expect(found.places).toContain(`team/${name}`);
    expect(listed.text).toContain(`team/${name}  `);
    expect(below.text).toContain(`team/${name}  `);
  }
});
