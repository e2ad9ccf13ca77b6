/**
 * The places of edits: all of them in their order, and none kept.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { foundPlaces, type SoughtText } from "../../src/text/place/found-places.ts";
import { fc } from "../property.ts";

/** Every place of an edit by itself, put in order afterwards. */
function placesAtOnce(flat: string, sought: readonly SoughtText[]): object[] {
  const all = sought.flatMap(({ by, oldText, newText, isEverywhere }) => {
    const starts = [...flat.matchAll(new RegExp(RegExp.escape(oldText), "g"))].map(({ index }) => index);
    const wanted = isEverywhere ? starts : starts.slice(0, 1);
    return wanted.map((start) => ({ by, start, end: start + oldText.length, text: newText }));
  });
  return all.sort((a, b) => a.start - b.start || a.end - b.end || a.by - b.by);
}

function byName(places: readonly object[]): string[] {
  return places.map((place) => JSON.stringify(place)).sort();
}

test("foundPlaces() gives the places of all edits in their order", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
  const edits = fc.array(fc.tuple(letters, fc.boolean()), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(letters), edits, (parts, wanted) => {
      const flat = parts.join("");
      const sought = wanted.map(([oldText, isEverywhere], by) => ({ by, oldText, newText: `${by}`, isEverywhere }));
      const found = [...foundPlaces(flat, sought)];
      expect(byName(found)).toEqual(byName(placesAtOnce(flat, sought)));
      expect(found).toEqual(found.toSorted((a, b) => a.start - b.start || a.end - b.end));
    }),
  );
});

test("eight million places of one edit take little more memory than the text that comes of them", () => {
  const source = join(import.meta.dir, "..", "..", "src", "text", "index.ts");
  const run = (places: number): { readonly said: string; readonly bytes: number } => {
    const script = `
      const { applyEdits } = await import(${JSON.stringify(source)});
      const { replacements } = applyEdits("a".repeat(${places}), [{ oldText: "a", newText: "bb", replaceAll: true }]);
      console.log(replacements);`;
    const { stdout, resourceUsage } = Bun.spawnSync([process.execPath, "-e", script]);
    return { said: stdout.toString().trim(), bytes: resourceUsage.maxRSS };
  };
  const many = run(8_000_000);
  expect(many.said).toBe("8000000");
  // With an object for each place it was above 1.5 GB.
  expect(many.bytes - run(1).bytes).toBeLessThan(400e6);
});
