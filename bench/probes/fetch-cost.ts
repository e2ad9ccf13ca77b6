/**
 * A program of its own: what `web_fetch` of 100 KB costs over a bare `fetch` of the same, on this machine and with a server that
 * takes as long as one in a company's network: `bun bench/probes/fetch-cost.ts [BINARY]`, which prints milliseconds as JSON.
 *
 * Budget: 1.5 times a bare fetch with a server that is 20 ms away.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RawClient } from "../raw-client.ts";
import { median } from "../quantiles.ts";

const ROUNDS = 100;
const [binary = join(import.meta.dir, "..", "..", "dist", "ringfence")] = process.argv.slice(2);
const BODY = "a line of some text that goes on for a while\n".repeat(2223);
const AWAY_MS = 20;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    if (new URL(request.url).pathname === "/away") await Bun.sleep(AWAY_MS);
    return new Response(BODY, { headers: { "content-type": "text/plain" } });
  },
});
const top = mkdtempSync(join(tmpdir(), "ringfence-fetch-cost-"));
try {
  const root = join(top, "root");
  const config = join(top, "config.json");
  mkdirSync(root);
  const web = { network: { reach: [`127.0.0.1:${server.port}`] }, per_minute: 100_000 };
  writeFileSync(config, JSON.stringify({ packs: { web }, audit: "required" }));
  await using client = await RawClient.open({
    name: "ringfence",
    command: [binary, "serve", "--root", root, "--state-dir", join(top, "state"), "--config", config],
  } as never);
  for (const path of ["/here", "/away"]) {
    const url = `http://127.0.0.1:${server.port}${path}`;
    const bare = async (): Promise<void> => void (await (await fetch(url)).text());
    const call = async (): Promise<void> => {
      await client.request("tools/call", { name: "web_fetch", arguments: { url, limit: 100_000 } });
    };
    for (const warm of [bare, call]) await warm();
    const took: [number[], number[]] = [[], []];
    // In turn, because the machine is not the same from one moment to the next.
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, work] of [bare, call].entries()) {
        const began = performance.now();
        await work();
        took[at]?.push(performance.now() - began);
      }
    const [bareMs, callMs] = took.map((times) => Number(median(times).toFixed(2))) as [number, number];
    console.log(JSON.stringify({ path, bareMs, callMs, times: Number((callMs / bareMs).toFixed(2)) }));
  }
} finally {
  rmSync(top, { recursive: true, force: true });
  await server.stop(true);
}
