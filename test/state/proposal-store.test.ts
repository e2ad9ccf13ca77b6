/**
 * Proposals on disk: one taker, clear answers about those that ended, nothing that outlives its time or its number, and
 * a folder that is closed to others.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, newId } from "../../src/base/index.ts";
import { openStateFolder, ProposalStore, type StoredProposal } from "../../src/state/index.ts";

interface Stored extends StoredProposal {
  readonly note: string;
}

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "state-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function stored(note: string, expires = Date.now() + 60_000): Stored {
  return { id: newId("p"), created: Date.now(), expires, note };
}

function failure(run: () => unknown): Failure {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error("it did not fail");
}

describe("ProposalStore", () => {
  test("keeps a proposal and its contents, privately", () => {
    const { proposals } = openStateFolder(join(base, "s"));
    const store = new ProposalStore<Stored>(proposals);
    const one = stored("one");
    store.put(one, [Buffer.from("abc"), Buffer.from([0, 255])]);
    expect(store.get(one.id)).toEqual(one);
    expect(store.list()).toEqual([one]);
    expect(Buffer.from(store.content(one.id, 1))).toEqual(Buffer.from([0, 255]));
    for (const name of readdirSync(proposals)) expect(statSync(join(proposals, name)).mode & 0o077).toBe(0);
  });

  test("is taken by exactly one, and can be put back", () => {
    const { proposals } = openStateFolder(join(base, "s"));
    const [mine, other] = [new ProposalStore<Stored>(proposals), new ProposalStore<Stored>(proposals)];
    const one = stored("one");
    mine.put(one, []);
    expect(mine.take(one.id).note).toBe("one");
    expect(failure(() => other.take(one.id)).code).toBe("busy");
    mine.release(one.id);
    expect(other.take(one.id).note).toBe("one");
  });

  test("what ended says how, and its contents are gone", () => {
    const { proposals } = openStateFolder(join(base, "s"));
    const store = new ProposalStore<Stored>(proposals);
    const one = stored("one");
    store.put(one, [Buffer.from("abc")]);
    store.end({ id: one.id, outcome: "rejected", reason: "wrong file", at: Date.now() });
    const refused = failure(() => store.take(one.id));
    expect(refused.code).toBe("conflict");
    expect(refused.message).toContain("rejected: wrong file");
    expect(readdirSync(proposals)).toEqual([`${one.id}.done`]);
  });

  test("what expired is stale, what never was is not found", () => {
    const { proposals } = openStateFolder(join(base, "s"));
    const store = new ProposalStore<Stored>(proposals);
    const old = stored("old", Date.now() - 1);
    store.put(old, []);
    expect(failure(() => store.get(old.id)).code).toBe("stale");
    for (const id of ["", "p_x", newId("p"), "../../etc/passwd", "p_/../../../../../../x"])
      expect(failure(() => store.get(id)).code).toBe("not_found");
  });
});

describe("openStateFolder", () => {
  test("closes itself to others", () => {
    const path = join(base, "open");
    openStateFolder(path);
    chmodSync(path, 0o755);
    openStateFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test("a path that cannot be one is a clear failure", () => {
    const refused = failure(() => openStateFolder("/dev/null/x"));
    expect(refused.code).toBe("denied");
    expect(refused.data.hint).toContain("--state-dir");
  });
});
