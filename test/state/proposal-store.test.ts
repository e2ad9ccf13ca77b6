/**
 * Proposals on disk: what is put is what is taken, exactly once, by whoever comes first; old ones go.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits, listenToLog, newId } from "../../src/base/index.ts";
import { ProposalStore, type StoredProposal } from "../../src/state/index.ts";
import { codeOf } from "../base/code-of.ts";

let folder: string;
let store: ProposalStore<StoredProposal & { note?: string }>;

/** What a person is told; not in the output of the run. */
let said: string[];
let listening: Disposable;

beforeEach(() => {
  said = [];
  listening = listenToLog((text) => said.push(text));
  folder = mkdtempSync(join(tmpdir(), "ringfence-store-"));
  store = new ProposalStore(folder);
});

afterEach(() => {
  listening[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const made = (age = 0): StoredProposal => ({
  id: newId("p"),
  created: Date.now() - age,
  expires: Date.now() + limits.PROPOSAL_TTL_MS - age,
});

test("what is put comes back with its contents, byte for byte, and only its owner may read it", () => {
  const proposal = { ...made(), note: "ü\n" };
  store.put(proposal, [new Uint8Array([0, 255, 13]), new Uint8Array()]);
  expect(store.get(proposal.id)).toEqual(proposal);
  expect([...store.content(proposal.id, 0)]).toEqual([0, 255, 13]);
  expect(store.content(proposal.id, 1)).toHaveLength(0);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test("it is taken once, by one of two stores", () => {
  const proposal = made();
  store.put(proposal, []);
  const other = new ProposalStore(folder);
  expect(store.take(proposal.id).id).toBe(proposal.id);
  expect(codeOf(() => other.take(proposal.id))).toBe("busy");
  store.release(proposal.id);
  expect(other.take(proposal.id).id).toBe(proposal.id);
  other.end({ id: proposal.id, outcome: "applied", transaction: "t_1", at: Date.now() });
  expect(codeOf(() => store.take(proposal.id))).toBe("conflict");
});

test("an ending leaves nothing of it but a note", () => {
  const proposal = made();
  store.put(proposal, [new Uint8Array(3), new Uint8Array(3)]);
  store.end({ id: proposal.id, outcome: "rejected", reason: "no", at: Date.now() });
  expect(readdirSync(folder)).toEqual([`${proposal.id}.done`]);
  expect(() => store.get(proposal.id)).toThrow("it was rejected: no");
});

test("the list is oldest first and leaves out what cannot be read", () => {
  const [young, old] = [made(), made(5000)];
  store.put(young, []);
  store.put(old, []);
  writeFileSync(join(folder, `${newId("p")}.json`), "{half");
  expect(store.list().map(({ id }) => id)).toEqual([old.id, young.id]);
});

test("only ids are looked up: nothing else names a file", () => {
  writeFileSync(join(folder, "x.json"), JSON.stringify({ ...made(), id: "x" }));
  for (const id of ["x", "../x", "", "p_", `${newId("p")}/../x`, "p_AAAAAAAAAAAAAAAAAAAAAA\0"])
    expect(codeOf(() => store.get(id))).toBe("not_found");
});

test("an expired one is stale; files of twice that age are swept", () => {
  const expired = { ...made(), expires: Date.now() - 1 };
  store.put(expired, [new Uint8Array(1)]);
  expect(codeOf(() => store.take(expired.id))).toBe("stale");
  const forgotten = join(folder, `${expired.id}.done`);
  const longAgo = (Date.now() - limits.PROPOSAL_TTL_MS * 2 - 1000) / 1000;
  utimesSync(forgotten, longAgo, longAgo);
  // This one has looked a moment ago.
  expect(store.list()).toEqual([]);
  expect(new ProposalStore(folder).list()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test("above the limit the oldest make room", () => {
  for (let n = 0; n < limits.MAX_PROPOSALS; n++) {
    const file = join(folder, `p_${String(n).padStart(22, "0")}.json`);
    writeFileSync(file, JSON.stringify({ ...made(), id: `p_${String(n).padStart(22, "0")}` }));
    utimesSync(file, 1_000_000_000 + n, Date.now() / 1000 - 10_000 + n);
  }
  const next = made();
  store.put(next, []);
  const waiting = store.list().map(({ id }) => id);
  expect(waiting).toHaveLength(limits.MAX_PROPOSALS);
  expect(waiting).toContain(next.id);
  expect(codeOf(() => store.get(`p_${"0".repeat(22)}`))).toBe("stale");
});

/** As a process leaves it that dies while it applies the proposal: nobody holds its lock any more. */
function abandon(id: string): void {
  renameSync(join(folder, `${id}.json`), join(folder, `${id}.taken`));
  writeFileSync(join(folder, `${id}.owner`), "");
}

test("a proposal whose owner died waits again, also when another process has its number now", () => {
  const proposal = made();
  store.put(proposal, []);
  abandon(proposal.id);
  writeFileSync(join(folder, `${proposal.id}.${process.pid}.owner`), "");
  expect(store.list()).toEqual([proposal]);
  expect(store.take(proposal.id)).toEqual(proposal);
  expect(codeOf(() => new ProposalStore(folder).take(proposal.id))).toBe("busy");
});

test("one whose owner died after it had applied it does not wait again", () => {
  const proposal = made();
  store.put(proposal, []);
  abandon(proposal.id);
  const next = new ProposalStore(folder, (id) => ({ id, outcome: "applied", transaction: "t_1", at: 1 }));
  expect(next.list()).toEqual([]);
  expect(() => next.take(proposal.id)).toThrow("it was applied");
  expect(readdirSync(folder)).toEqual([`${proposal.id}.done`]);
});

test("what happened is known though it cannot be written down", () => {
  const proposal = made();
  store.put(proposal, []);
  store.take(proposal.id);
  mkdirSync(join(folder, `${proposal.id}.done`));
  store.endHappened({ id: proposal.id, outcome: "applied", at: 1 });
  expect(() => store.take(proposal.id)).toThrow("it was applied");
  expect(store.list()).toEqual([]);
  expect(said).toEqual([expect.stringContaining("cannot write down that the proposal")]);
});

test("what is left of one that has ended is not offered", () => {
  const proposal = made();
  store.put(proposal, []);
  writeFileSync(join(folder, `${proposal.id}.done`), JSON.stringify({ id: proposal.id, outcome: "rejected" }));
  expect(store.list()).toEqual([]);
  expect(() => store.get(proposal.id)).toThrow("it was rejected");
});

test("one that cannot be put back is put back by whoever looks next", () => {
  const proposal = made();
  store.put(proposal, []);
  store.take(proposal.id);
  mkdirSync(join(folder, `${proposal.id}.json`));
  store.release(proposal.id);
  expect(said).toEqual([expect.stringContaining("cannot put the proposal")]);
  rmSync(join(folder, `${proposal.id}.json`), { recursive: true });
  expect(new ProposalStore(folder).take(proposal.id)).toEqual(proposal);
});

test("nothing is left of one that could not be put", () => {
  const proposal = made();
  mkdirSync(join(folder, `${proposal.id}.json`));
  writeFileSync(join(folder, `${proposal.id}.json`, "in the way"), "");
  expect(() => store.put(proposal, [new Uint8Array(1)])).toThrow();
  expect(readdirSync(folder)).toEqual([`${proposal.id}.json`]);
  expect(said).toEqual([expect.stringContaining("cannot remove what is left of the proposal")]);
});
