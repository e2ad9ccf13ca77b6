/** What a rule closes takes no place in an answer of what it leaves open, however much of it there is. */
import { expect, test } from "bun:test";
import { layNotes, openMemoryHost, search } from "./memory-host.ts";

test("closed notes take no places of open ones with a part of a word, whichever came first", async () => {
  const config = { rules: [{ deny: "memory_*(person/**)" }] };
  await using host = await openMemoryHost({ config });
  layNotes(host, { "first/open": "The misconfiguration was found." });
  expect((await search(host, "configuration")).places).toEqual(["first/open"]);
  const closed = Array.from({ length: 350 }, (_, at) => [`person/n${at}`, "A misconfiguration of somebody."] as const);
  layNotes(host, Object.fromEntries(closed));
  expect((await search(host, "configuration")).places).toEqual(["first/open"]);
  layNotes(host, { "last/open": "Another misconfiguration." });
  expect((await search(host, "configuration")).places).toEqual(["first/open", "last/open"]);
});
