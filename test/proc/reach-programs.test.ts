/**
 * Programs that people use, unchanged, in a network that is a list: each finds the broker by what is in its environment, and
 * fetches what is listed. What is not listed it does not get.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasLandlock } from "../binary/has-landlock.ts";
import { component } from "../components/component.ts";
import { script } from "./command-host.ts";
import { openReachHost } from "./reach-host.ts";

let server: ReturnType<typeof Bun.serve> | undefined;
let folder = "";
/** What was asked for, by the name that it was asked by. */
const asked: string[] = [];

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-programs-")));
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${request.headers.get("host")}${pathname}`);
      const file = Bun.file(join(folder, "served", pathname));
      if (await file.exists()) return new Response(file);
      if (pathname === "/simple/tiny/")
        return new Response('<a href="/tiny-1.0-py3-none-any.whl">tiny-1.0-py3-none-any.whl</a>', {
          headers: { "content-type": "text/html" },
        });
      if (pathname === "/tiny") return Response.json(tinyPackage());
      return pathname === "/hello" ? new Response("hello from afar") : new Response("none", { status: 404 });
    },
  });
  mkdirSync(join(folder, "served"));
});

afterAll(() => {
  void server?.stop(true);
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

/** Where the listed name leads. */
function listedHost(): string {
  return `web.test:${server?.port}`;
}

function tinyPackage(): object {
  const dist = { tarball: `http://${listedHost()}/tiny-1.0.0.tgz` };
  return {
    name: "tiny",
    "dist-tags": { latest: "1.0.0" },
    versions: { "1.0.0": { name: "tiny", version: "1.0.0", dist } },
  };
}

/** Runs a line of a shell whose network is the list, with `$WEB` for the listed host and `$OTHER` for one that is not. */
async function run(line: string, more: object = {}, moreReads: readonly string[] = []): Promise<string> {
  asked.length = 0;
  const network = { reach: [listedHost()] };
  const environment = { WEB: listedHost(), OTHER: `other.test:${server?.port}` };
  const reads = [join(folder, "served"), ...homesOf("python3", "node", "npm", "java", "bun"), ...moreReads];
  const declared = script(line, { network, environment, reads, ...more });
  await using host = openReachHost({ commands: { line: declared } as never });
  return (await host.call("cmd_line")).text;
}

/** Debian keeps what a JVM reads first beside its other settings. */
const JAVA_READS: readonly string[] = readdirSync("/etc")
  .filter((name) => name.startsWith("java-"))
  .map((name) => `/etc/${name}`);

/** Where programs lie that were not installed by the system. */
function homesOf(...names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = name === "bun" ? process.execPath : Bun.which(name);
    return path === null ? [] : [dirname(path), dirname(dirname(realpathSync(path)))];
  });
}

const curl = component("curl");
const git = component("git");
const python = component("python3");
const npm = component("npm");
const javac = component("javac");

function make(...command: string[]): void {
  const made = Bun.spawnSync(command, { cwd: folder, stderr: "pipe" });
  if (made.exitCode !== 0) throw new Error(`${command.join(" ")}: ${made.stderr.toString()}`);
}

describe.skipIf(!hasLandlock())("in a network that is a list", () => {
  test.skipIf(curl.isMissing)(`curl gets what is listed and is refused anything else${curl.note}`, async () => {
    const text = await run(
      "curl -sS -m 20 http://$WEB/hello; echo; curl -sS -m 20 -o /dev/null -w '%{http_code}\\n' http://$OTHER/hello; " +
        "curl -sS -m 20 --proxytunnel http://$WEB/hello; echo; curl -sS -m 20 --noproxy '*' http://127.0.0.1:${WEB#*:}/hello",
    );
    expect(text).toContain("\nhello from afar\n403\nhello from afar\ncurl: (7)");
    expect(asked).toEqual([`${listedHost()}/hello`, `${listedHost()}/hello`]);
  });

  test.skipIf(git.isMissing)(
    `git can clone from a host that is listed and is refused by any other${git.note}`,
    async () => {
      make("git", "init", "-q", "--bare", "served/repository.git");
      const bare = "--git-dir=served/repository.git";
      const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
      make("sh", "-c", `git ${bare} hash-object -t tree -w /dev/null`);
      const who = "GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b";
      make("sh", "-c", `git ${bare} update-ref HEAD $(${who} git ${bare} commit-tree -m first ${tree})`);
      make("git", bare, "update-server-info");
      const text = await run(
        "git clone -q http://$WEB/repository.git a && git -C a log --format=%s; git clone -q http://$OTHER/repository.git b",
      );
      expect(text).toContain("\nfirst\n");
      expect(text).toMatch(/fatal: unable to access .*other\.test.*403/);
    },
  );

  test.skipIf(python.isMissing)(`Python and pip get what is listed${python.note}`, async () => {
    const files = {
      "tiny.py": "answer = 42",
      "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
      "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
      "tiny-1.0.dist-info/RECORD": "",
    };
    const zip = `import json,sys,zipfile\nwith zipfile.ZipFile('served/tiny-1.0-py3-none-any.whl','w') as z:\n  [z.writestr(n,t) for n,t in json.loads(sys.argv[1]).items()]`;
    make("python3", "-c", zip, JSON.stringify(files));
    const text = await run(
      `python3 -c "import urllib.request as u; print(u.urlopen('http://$WEB/hello').read().decode())"; ` +
        "python3 -m pip install -q --disable-pip-version-check --no-cache-dir --target t --trusted-host web.test -i http://$WEB/simple tiny; " +
        "PYTHONPATH=t python3 -c 'import tiny; print(tiny.answer)'",
    );
    expect(text).toContain("\nhello from afar\n");
    if (!text.includes("No module named pip")) expect(text).toContain("\n42");
  });

  test.skipIf(npm.isMissing)(`npm installs from a registry that is listed${npm.note}`, async () => {
    mkdirSync(join(folder, "package"));
    writeFileSync(join(folder, "package", "package.json"), '{"name":"tiny","version":"1.0.0"}');
    make("tar", "czf", "served/tiny-1.0.0.tgz", "package");
    const text = await run(
      "npm install --no-audit --no-fund --registry http://$WEB/ tiny 2>&1 | tail -5; cat node_modules/tiny/package.json; " +
        "npm view --fetch-retries=0 --registry http://$OTHER/ tiny name 2>&1 | grep -c E403",
    );
    expect(text).toMatch(/\{"name":"tiny","version":"1\.0\.0"\}[1-9]\d*$/);
  });

  test("a program of this runtime gets what is listed", async () => {
    const text = await run(
      `${process.execPath} -e "console.log(await (await fetch('http://'+process.env.WEB+'/hello')).text(), (await fetch('http://'+process.env.OTHER+'/hello')).status)"`,
    );
    expect(text).toContain("\nhello from afar 403");
  });

  test.skipIf(javac.isMissing)(`a program of the JVM gets what is listed${javac.note}`, async () => {
    const source = `public class Main { public static void main(String[] a) throws Exception {
      for (String host : new String[] { System.getenv("WEB"), System.getenv("OTHER") }) {
        var c = (java.net.HttpURLConnection) new java.net.URL("http://" + host + "/hello").openConnection();
        System.out.println(c.getResponseCode() == 200 ? new String(c.getInputStream().readAllBytes()) : "" + c.getResponseCode());
      } } }`;
    writeFileSync(join(folder, "served", "Main.java"), source);
    const text = await run(
      `java -Xshare:off ${join(folder, "served", "Main.java")}`,
      { memory_mb: 65_536 },
      JAVA_READS,
    );
    expect(text).toContain("\nhello from afar\n403");
  });
});
