/**
 * Only regular files are read: what would wait, never end or be a device is refused in time, in a directory of the user
 * as in roots that are `/dev` and `/proc`; and a file that grows is read as far as it went when it was opened.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import { isMadeUp } from "../../src/scope/mounts.ts";
import { Scope } from "../../src/scope/index.ts";
import { inspect } from "../../src/txn/index.ts";
import { makeFifo } from "../host/file-tree.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

const isLinux = process.platform === "linux";

describe.each(["auto", "portable"] as const)("containment %s", (containment) => {
  let host: TestHost;
  let top = "";
  let server: Server;
  beforeEach(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-special-")));
    mkdirSync(join(top, "root"));
    const roots = [join(top, "root"), ...(isLinux ? ["/dev:ro", "/proc:ro"] : [])];
    host = openTestHost({ top, config: { roots, containment, mode: "bypass" } });
    makeFifo(join(host.root, "fifo"));
    server = createServer().listen(join(host.root, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    symlinkSync("fifo", join(host.root, "to-fifo"));
    symlinkSync("/dev/zero", join(host.root, "to-zero"));
  });
  afterEach(async () => {
    server.close();
    await host[Symbol.asyncDispose]();
    rmSync(top, { recursive: true, force: true });
  });

  const codeOf = async (tool: string, args: object): Promise<string> => {
    const { failure } = await host.call(tool, args);
    return failure?.code ?? "ok";
  };

  test("a FIFO and a socket are refused at once and by kind", async () => {
    for (const [path, kind] of [
      ["fifo", "FIFO"],
      ["to-fifo", "FIFO"],
      ["socket", "socket"],
    ]) {
      const { failure, all } = await host.call("read_file", { path });
      expect([path, failure?.code]).toEqual([path, "denied"]);
      expect(all).toContain(kind ?? "");
      expect(await codeOf("write_file", { path, content: "x" })).toBe("denied");
      expect(await codeOf("edit_file", { path, old_text: "a", new_text: "b" })).toBe("denied");
      expect(await codeOf("append_file", { path, content: "x" })).toBe("denied");
    }
    expect((await host.call("grep", { pattern: "x" })).failure).toBeUndefined();
    expect(await codeOf("copy", { source: "fifo", destination: "copy" })).toBe("denied");
  });

  test.skipIf(!isLinux)("devices are refused, and so is a link to one", async () => {
    for (const path of ["/dev/zero", "/dev/random", "/dev/full", "/dev/tty", "/dev/null", "to-zero"])
      expect([path, await codeOf("read_file", { path })]).toEqual([path, "denied"]);
    expect(await codeOf("diff_files", { a: "/dev/zero", b: "/dev/zero" })).toBe("denied");
    expect((await host.call("hash_file", { paths: ["/dev/zero"] })).all).toContain("device");
    expect(await codeOf("write_file", { path: "/dev/null", content: "x" })).toBe("denied");
  });

  test.skipIf(!isLinux)("what the kernel makes up is refused, and its links lead nowhere", async () => {
    const files = [
      "/proc/self/mem",
      "/proc/kmsg",
      "/proc/kcore",
      "/proc/self/environ",
      "/proc/cpuinfo",
      "/proc/self/pagemap",
    ];
    for (const path of files.filter((one) => existsSync(one))) {
      const { failure, all } = await host.call("read_file", { path });
      expect([path, failure?.code]).toEqual([path, "denied"]);
      expect(all).toContain("only regular files are read");
      expect(await codeOf("copy", { source: path, destination: "copy" })).toBe("denied");
    }
    for (const path of [
      "/proc/self/root/etc/passwd",
      "/proc/self/cwd/package.json",
      "/proc/self/exe",
      "/proc/1/root/etc/passwd",
      "/proc/self/fd/0",
    ])
      expect(["denied", "outside_scope", "not_found"]).toContain(await codeOf("read_file", { path }));
    expect((await host.call("list_directory", { path: "/proc/self/fd" })).failure).toBeUndefined();
  });

  test("a file that another process keeps writing to is read up to where it was", async () => {
    const path = join(host.root, "log");
    const writer = Bun.spawn([
      "sh",
      "-c",
      `for i in $(seq 400); do head -c 65536 /dev/zero | tr '\\0' 'a\\n'; done >> '${path}'`,
    ]);
    try {
      await until("the file", () => existsSync(path));
      expect(await codeOf("hash_file", { paths: ["log"] })).toBe("ok");
      expect(await codeOf("read_file", { path: "log", encoding: "base64", limit: 10 })).toBe("ok");
      expect(await codeOf("grep", { pattern: "nothing", path: "log" })).toBe("ok");
    } finally {
      writer.kill();
      await writer.exited;
    }
  });

  test("the check before a change hashes what was there, not what comes meanwhile", () => {
    const path = join(host.root, "grows");
    // No multiple of any buffer.
    const size = 2_500_001;
    appendFileSync(path, Buffer.alloc(size, "a"));
    using scope = new Scope({ roots: [{ path: host.root, readOnly: false }], containment });
    const look = (): string => {
      let looks = 0;
      const cancel = {
        state: () => {
          if (looks++ < 10) appendFileSync(path, "more");
          return "none" as const;
        },
      };
      const { before } = inspect(scope, scope.locate("grows", "look"), "look", { cancel });
      return before.kind === "absent" ? "" : before.hash;
    };
    expect(look()).toBe(new Bun.CryptoHasher("sha256").update(Buffer.alloc(size, "a")).digest("hex"));
    expect(NEVER_CANCELLED.state()).toBe("none");
  });
});

test.skipIf(!isLinux)("ordinary devices are not taken for made-up ones", () => {
  using scope = new Scope({ roots: [{ path: import.meta.dir, readOnly: true }] });
  using file = scope.openFile(scope.locate("special-files.test.ts", "read"), "read");
  expect(isMadeUp(file.fd, file.stat.dev)).toBe(false);
  expect(isMadeUp(file.fd, file.stat.dev)).toBe(false);
});
