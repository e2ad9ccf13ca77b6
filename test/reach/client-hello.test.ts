/**
 * The greeting of TLS as the broker reads it, however it is cut, with work that grows no faster than the greeting.
 */
import { expect, test } from "bun:test";
import { readGreeting } from "../../src/reach/broker/client-hello.ts";
import type * as clientHello from "../../src/reach/broker/client-hello.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

function sized(bytes: Buffer, size: 1 | 2 | 3): Buffer {
  const number = Buffer.alloc(size);
  number.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([number, bytes]);
}

/** The message of a client that asks for this name, with so many bytes in an extension that nobody knows. */
function helloFor(name: string, more = 0): Buffer {
  const server = sized(Buffer.concat([Buffer.from([0]), sized(Buffer.from(name), 2)]), 2);
  const extensions = [Buffer.from([0, 0]), sized(server, 2), Buffer.from([0xff, 0x99]), sized(Buffer.alloc(more), 2)];
  const parts = [Buffer.alloc(34), sized(Buffer.alloc(0), 1), sized(Buffer.from([0x13, 0x01]), 2), Buffer.from([1, 0])];
  const body = Buffer.concat([...parts, sized(Buffer.concat(extensions), 2)]);
  return Buffer.concat([Buffer.from([1]), sized(body, 3)]);
}

function inRecords(message: Buffer, bytesOfEach: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += bytesOfEach)
    records.push(Buffer.from([22, 3, 1]), sized(message.subarray(at, at + bytesOfEach), 2));
  return Buffer.concat(records);
}

test.each([[1000], [40], [3]])("a name is read from a greeting in records of %i bytes", (bytesOfEach) => {
  const greeting = inRecords(helloFor("a.test"), bytesOfEach);
  expect(readGreeting(greeting)).toEqual({ is: "tls", name: "a.test" });
  for (let at = 1; at < greeting.length; at++) expect(readGreeting(greeting.subarray(0, at))).toEqual({ is: "begun" });
});

test("a greeting in more records than any client sends is malformed", () => {
  const message = helloFor("a.test");
  expect(readGreeting(inRecords(message, Math.ceil(message.length / 64))).is).toBe("tls");
  expect(readGreeting(inRecords(message, 1))).toEqual({ is: "malformed" });
});

test("a greeting costs as much as it is long, in however many records it comes", async () => {
  const { readGreeting: read } = await loadCounted<typeof clientHello>("src/reach/broker/client-hello.ts");
  // Each size in half-kilobytes, a record for each.
  expectGrowth({ size: 24, mostGrowth: 2.1, mostPerUnit: 1200 }, (size) => {
    const message = helloFor("a.test", size * 512 - 100);
    const greeting = inRecords(message, 512);
    return () => read(greeting);
  });
});
