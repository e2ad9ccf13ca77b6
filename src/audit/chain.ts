/**
 * One line of the record and its place in the chain: the hash covers the line and the hash of the one before, so a line
 * cannot be edited, removed, added or moved without breaking what follows.
 *
 * The hash is the last member and covers the line as text, byte for byte; nothing is parsed to check it.
 */
import { sha256 } from "../base/index.ts";

/** Of the first line of a segment: the name of the segment, so that a segment cannot pass for another. */
export function firstHash(segment: string): string {
  return sha256(`ringfence segment ${segment}`);
}

export interface ChainedLine {
  readonly text: string;
  readonly hash: string;
}

/** @param body a JSON object as text, with at least one member */
export function chainLine(before: string, body: string): ChainedLine {
  const hash = sha256(before + body);
  return { text: `${body.slice(0, -1)}${SEAL}${hash}"}`, hash };
}

/** Body and hash of a line; `undefined` for what is no line of a record. */
export function splitLine(line: string): { readonly body: string; readonly hash: string } | undefined {
  const [, body, hash] = LINE.exec(line) ?? [];
  return body === undefined || hash === undefined ? undefined : { body: `${body}}`, hash };
}

export function hashOf(before: string, body: string): string {
  return sha256(before + body);
}

const SEAL = ',"hash":"';
const LINE = /^(\{"seq":\d+,[^]*),"hash":"([0-9a-f]{64})"\}$/;
