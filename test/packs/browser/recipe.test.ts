/**
 * docs/recipes/browser.md with the real server: the configuration is the page's own, with the paths of this machine.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { REPOSITORY } from "../../../scripts/checks/read-sources.ts";
import { mcpServer } from "../../components/mcp-server.ts";
import { openWebHost } from "../web/web-host.ts";
import { browserProcesses, browsing, CHROMIUM } from "./browser-host.ts";

const server = mcpServer("chrome-devtools-mcp");
const node = Bun.which("node");
const note = `${browsing.note}${server.note}${node === null ? " (needs node)" : ""}`;

const PAGE = `<title>A form</title><label>Name <input id="name"></label><button onclick="document.getElementById('said').textContent = 'hello ' + document.getElementById('name').value">Greet</button><p id="said"></p><img src="http://127.0.0.1:1/away">`;

/** The configuration of the page, with what is other on this machine. */
function recipe(host: string): object {
  const page = readFileSync(join(REPOSITORY, "docs", "recipes", "browser.md"), "utf8");
  const text = /^```json\n([^]*?)^```$/m.exec(page)?.[1] ?? "";
  return JSON.parse(
    text
      .replaceAll("/opt/mcp/node_modules", server.modules)
      .replaceAll("/usr/bin/node", node ?? "")
      .replaceAll("/usr/bin/chromium", CHROMIUM)
      .replaceAll("app.corp.example:443", host),
  ) as object;
}

test.skipIf(browsing.isMissing || server.isMissing || node === null)(
  `the recipe for a browser that clicks works as it is written, and is held to its list${note}`,
  async () => {
    const elsewhere: string[] = [];
    using site = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(PAGE, { headers: { "content-type": "text/html" } }),
    });
    using other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => new Response(String(elsewhere.push(url))),
    });
    const config = { ...recipe(`localhost:${site.port}`), mode: "bypass" };
    await using host = await openWebHost({ config: { packs: {}, ...config } });
    await host.ask("tools/list");
    const main = join(REPOSITORY, "src", "main.ts");
    const { place } = host;
    const where = ["--root", place.root, "--state-dir", place.stateDir, "--config", join(place.path, "config.json")];
    const review = Bun.spawn([process.execPath, main, "upstream", "review", "--approve", ...where], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const shown = (await review.stdout.text()) + (await review.stderr.text());
    expect(shown).toContain("click");
    await using approved = await openWebHost({ config: { packs: {}, ...config }, place });
    const call = async (tool: string, args: object): Promise<string> =>
      (await approved.call(`mcp_chrome_${tool}`, args)).all;
    expect(await call("new_page", { url: `http://localhost:${site.port}/` })).toContain("localhost");
    const pageId = Number(/^(\d+): A form/m.exec(await call("list_pages", {}))?.[1]);
    const snapshot = await call("take_snapshot", { pageId });
    const uidOf = (what: RegExp): string => what.exec(snapshot)?.[1] ?? `nothing like ${what} in ${snapshot}`;
    await call("fill", { pageId, uid: uidOf(/uid=(\S+) textbox/), value: "world" });
    await call("click", { pageId, uid: uidOf(/uid=(\S+) button/) });
    expect(await call("take_snapshot", { pageId })).toContain("hello world");
    await call("navigate_page", { pageId, url: `http://127.0.0.1:${other.port}/`, type: "url" });
    expect(await call("take_snapshot", { pageId })).not.toContain("hello world");
    expect(elsewhere).toEqual([]);
    expect(browserProcesses(approved).length).toBeGreaterThan(0);
  },
);
