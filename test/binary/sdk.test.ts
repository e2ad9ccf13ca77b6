/**
 * The official SDK's clients against the real binary: every tool, in both eras, with and without structured results,
 * and changes that are proposed by the tool and applied by the extension method.
 */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "./build-binary.ts";
import { SDK_CLIENTS, type SdkClient } from "./sdk-clients.ts";
import { CHANGE_STEPS, plantWorkspace, READ_STEPS, textOf } from "./sdk-session.ts";
import { Place, type CallResult } from "./serve-process.ts";

const FORMS = ["text", "structured"] as const;
const MATRIX = SDK_CLIENTS.flatMap(([name, connect]) => FORMS.map((form) => [name, form, connect] as const));

describe.skipIf(process.platform !== "linux").each(MATRIX)("%s, --results=%s", (_name, form, connect) => {
  async function open(place: Place): Promise<SdkClient> {
    plantWorkspace(place.root);
    const args = [
      "serve",
      "--root",
      place.root,
      "--state-dir",
      place.stateDir,
      `--results=${form}`,
      "--baseline=if_known",
    ];
    return await connect({ command: await binaryPath(), args, env: plantDesktop(place) });
  }

  test("an official client drives every tool", async () => {
    using place = new Place();
    await using client = await open(place);
    expect(client.instructions).toContain(place.root);
    const listed = await client.listTools();
    const steps = [...READ_STEPS, ...CHANGE_STEPS];
    expect(listed.map(({ name }) => name).sort()).toEqual([...new Set(steps.map(({ tool }) => tool))].sort());
    expect(listed.filter((tool) => (tool.outputSchema !== undefined) !== (form === "structured"))).toEqual([]);

    for (const step of READ_STEPS) {
      const result = await client.call(step.tool, step.given);
      expect({ tool: step.tool, failed: result["isError"] }).toEqual({ tool: step.tool, failed: undefined });
      expect(textOf(result)).toContain(step.text);
      expectForm(result, form, step.structured);
    }
    for (const step of CHANGE_STEPS) {
      const result = await client.call(step.tool, step.given);
      expect(textOf(result)).toContain(step.text);
      expectForm(result, form, step.structured);
      const { id, digest } = result._meta?.["dev.ringfence/proposal"] ?? {};
      expect(textOf(result).trimEnd().endsWith(`${id}@${digest}`)).toBe(true);
      const { proposals } = await client.request("ringfence/proposals/list", {});
      expect(proposals).toMatchObject([{ id, tool: step.tool }]);
      expect(await client.request("ringfence/proposals/get", { id })).toMatchObject({ id });
      expect(await client.request("ringfence/proposals/apply", { id })).toMatchObject({ status: "applied" });
      expect({ tool: step.tool, onDisk: step.disk?.(place.root) }).toEqual({ tool: step.tool, onDisk: true });
    }
  });

  test("a failure is a result that the model can read", async () => {
    using place = new Place();
    await using client = await open(place);
    await client.listTools();
    const missing = await client.call("read_file", { path: "a.text" });
    expect(missing["isError"]).toBe(true);
    expect(textOf(missing)).toStartWith('not_found: Cannot read "a.text"');
    expect(missing._meta?.["dev.ringfence/failure"]).toMatchObject({ code: "not_found", retry: "changed" });
    await expect(client.call("read_fil", {})).rejects.toThrow("read_file");
    const outside = await client.call("write_file", { path: "../x", content: "x" });
    expect(textOf(outside)).toStartWith("outside_scope: ");
  });

  test("a rejected proposal is never written, a stale one answers with the new diff", async () => {
    using place = new Place();
    await using client = await open(place);
    const edit = { path: "a.txt", old_text: "two", new_text: "2" };
    const id = (await client.call("edit_file", edit))._meta?.["dev.ringfence/proposal"]?.id;
    await client.request("ringfence/proposals/reject", { id, reason: "no" });
    await expect(client.request("ringfence/proposals/apply", { id })).rejects.toThrow("rejected");
    const second = (await client.call("edit_file", edit))._meta?.["dev.ringfence/proposal"];
    writeFileSync(join(place.root, "a.txt"), "zero\none\ntwo\nthree\n");
    const stale: unknown = await client
      .request("ringfence/proposals/apply", { id: second?.id })
      .catch((thrown: unknown) => thrown);
    expect(stale).toMatchObject({ code: 1, data: { code: "stale", details: { diff: expect.any(String) } } });
    expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("zero\none\ntwo\nthree\n");
  });
});

function expectForm(result: CallResult, form: string, structured: object): void {
  if (form === "structured") expect(result["structuredContent"]).toMatchObject(structured);
  else expect(result["structuredContent"]).toBeUndefined();
}

/** A fake desktop: two programs that do nothing. */
function plantDesktop(place: Place): Record<string, string> {
  const folder = join(place.path, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "xdg-open"), "#!/bin/sh\n");
  chmodSync(join(folder, "xdg-open"), 0o755);
  return { PATH: `${folder}:${process.env["PATH"]}`, HOME: place.path, DISPLAY: ":99" };
}
