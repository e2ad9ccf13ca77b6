/**
 * The environment that children get: everything but what steers a runtime or a loader.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cleanEnvironment, hasDesktop, scrubEnvironment } from "../../src/config/index.ts";

const kept = { ...process.env };
const STEERING = [
  "BUN_OPTIONS",
  "BUN_JSC_dumpOptions",
  "NODE_OPTIONS",
  "LD_PRELOAD",
  "DYLD_INSERT_LIBRARIES",
  "GLIBC_TUNABLES",
];

beforeAll(() => {
  for (const name of STEERING) process.env[name] = "x";
  process.env["RINGFENCE_TEST_KEPT"] = "yes";
});

afterAll(() => {
  for (const name of [...STEERING, "RINGFENCE_TEST_KEPT"]) delete process.env[name];
  Object.assign(process.env, kept);
});

test("cleanEnvironment() leaves out the variables that steer the runtime and keeps all others", () => {
  const clean = cleanEnvironment();
  for (const name of STEERING) expect(Object.keys(clean)).not.toContain(name);
  expect(clean).toMatchObject({ RINGFENCE_TEST_KEPT: "yes", PATH: process.env["PATH"] ?? "" });
  expect(process.env["BUN_OPTIONS"]).toBe("x");
});

test("hasDesktop() is true on Linux when a display is named", () => {
  if (process.platform !== "linux") return;
  const display = process.env["DISPLAY"];
  process.env["DISPLAY"] = ":0";
  expect(hasDesktop()).toBe(true);
  delete process.env["DISPLAY"];
  expect(hasDesktop()).toBe(process.env["WAYLAND_DISPLAY"] !== undefined);
  if (display !== undefined) process.env["DISPLAY"] = display;
});

test("scrubEnvironment() takes the variables that steer the runtime out of this process", () => {
  scrubEnvironment();
  for (const name of STEERING) expect(process.env[name]).toBeUndefined();
  expect(process.env["RINGFENCE_TEST_KEPT"]).toBe("yes");
});
