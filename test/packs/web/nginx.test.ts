/**
 * `web_fetch` from nginx, as most servers are: TLS, packed answers, parts of a file, pages that have not changed, redirects.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { component } from "../../components/component.ts";
import { createAuthority } from "../../reach/own-authority.ts";
import { freePort } from "../../waits/free-port.ts";
import { until } from "../../waits/until.ts";
import { openWebHost } from "./web-host.ts";

const needed = component("nginx", "openssl");

test.skipIf(needed.isMissing)(
  `nginx is fetched from over TLS, packed, in parts and through its redirects${needed.note}`,
  async () => {
    using authority = createAuthority();
    const folder = mkdtempSync(join(tmpdir(), "ringfence-nginx-"));
    const port = freePort();
    const at = (name: string): string => join(folder, name);
    const { cert, key } = authority.issue("IP:127.0.0.1");
    mkdirSync(at("site"));
    const page = `<html><head><title>From nginx</title></head><body><article><h2>Part</h2>${"<p>Some words of a page, which is long enough. </p>".repeat(40)}</article></body></html>`;
    writeFileSync(at("site/page.html"), page);
    writeFileSync(at("site/data.txt"), "0123456789");
    writeFileSync(at("cert.pem"), cert);
    writeFileSync(at("key.pem"), key);
    writeFileSync(at("nginx.conf"), configuration({ folder, port }));
    const nginx = Bun.spawn(["nginx", "-e", "stderr", "-p", folder, "-c", at("nginx.conf"), "-g", "daemon off;"], {
      stdout: "ignore",
      stderr: "pipe",
    });
    try {
      const url = `https://127.0.0.1:${port}`;
      await until("nginx to listen", async () => {
        if (nginx.exitCode !== null) throw new Error(await nginx.stderr.text());
        return await fetch(`${url}/data.txt`, { tls: { ca: authority.ca } }).then(
          ({ ok }) => ok,
          () => false,
        );
      });
      await using host = await openWebHost({
        web: { network: { reach: [`127.0.0.1:${port}`] } },
        config: { network: { ca: authority.caFile } },
      });
      const first = await host.call("web_fetch", { url: `${url}/page.html` });
      expect(first.text).toContain("Title: From nginx");
      expect(first.text).toContain("## Part");
      const line = host.recorded("connected").at(-1);
      // It was packed on the way.
      expect(Number(line?.["down"])).toBeLessThan(page.length / 2);
      const sha = /sha256 ([0-9a-f]{64})/.exec(first.all)?.[1];
      expect((await host.call("web_fetch", { url: `${url}/page.html`, unless_hash: sha })).text).toEndWith(
        "unchanged.",
      );
      expect(host.recorded("connected").at(-1)).toMatchObject({ status: 304 });
      const part = await host.call("web_fetch", { url: `${url}/data.txt`, headers: { range: "bytes=2-4" } });
      expect([part.all.includes("status 206"), part.text.endsWith("234")]).toEqual([true, true]);
      expect((await host.call("web_fetch", { url: `${url}/moved` })).text).toEndWith("0123456789");
      expect((await host.call("web_fetch", { url: `${url}/plain` })).failure?.code).toBe("denied");
      expect((await host.call("web_fetch", { url: `${url}/data.txt`, method: "HEAD" })).all).toContain("status 200");
    } finally {
      nginx.kill();
      await nginx.exited;
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

function configuration({ folder, port }: { readonly folder: string; readonly port: number }): string {
  // Its workers read what this user may.
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  return `${user}worker_processes 1;
pid ${folder}/pid;
events {}
http {
  access_log off;
  types { text/html html; text/plain txt; }
  gzip on;
  gzip_min_length 1;
  gzip_types text/plain;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    root ${folder}/site;
    location /moved { return 301 /data.txt; }
    location /plain { return 301 http://127.0.0.1:${port}/data.txt; }
  }
}
`;
}
