/**
 * Jobs and replies as lines: what goes in comes out, whatever the JSON text holds.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { jobLine, parseJobLine, parseReplyLine, replyLine } from "../../src/pool/job-line.ts";

const json = fc.json();
const name = fc.stringMatching(/^[a-z:._]{1,20}$/);

test("a job is the same after its line", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(255), fc.nat(), fc.nat(2), name, json, (id, slot, leftMs, rank, job, input) => {
      const line = { id, slot, leftMs, rank, name: job, input };
      expect(parseJobLine(jobLine(line))).toEqual(line);
    }),
  );
});

test("a reply is the same after its line", () => {
  const kind = fc.constantFrom("result", "failure", "progress", "bug");
  fc.assert(
    fc.property(fc.nat(), kind, fc.oneof(json, fc.constant("")), json, (id, what, facts, payload) => {
      const line = { id, kind: what, facts, payload };
      expect(parseReplyLine(replyLine(line))).toEqual(line);
    }),
  );
});
