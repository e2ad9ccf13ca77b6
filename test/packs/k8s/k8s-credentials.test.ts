/**
 * How a kubeconfig becomes a credential: token, token file, client's certificate, a declared command in the place of a plug-in; and
 * every kubeconfig that is refused, with the reason and before anything is asked.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Place } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { createAuthority } from "../../reach/own-authority.ts";
import { kubeconfigOf, openK8sHost, type KubeconfigGiven } from "./k8s-host.ts";
import { openCluster, say, TOKEN, WEAK_TOKEN, type OwnCluster } from "./own-cluster.ts";
import { statusOf } from "./recorded-statuses.ts";

const openssl = component("openssl");
let cluster: OwnCluster;

beforeAll(async () => {
  if (!openssl.isMissing) cluster = await openCluster();
});

afterAll(async () => {
  if (!openssl.isMissing) await cluster[Symbol.asyncDispose]();
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A file beside the kubeconfig. */
function besides(place: Place, name: string, text: string): string {
  writeFileSync(join(place.path, name), text);
  return name;
}

interface Said {
  readonly code: string | undefined;
  readonly user: string | undefined;
  readonly all: string;
}

async function userWith(given: (place: Place) => KubeconfigGiven, more: object = {}): Promise<Said> {
  const before = cluster.heard.length;
  await using host = await openK8sHost(cluster, {
    kubeconfig: (place) => kubeconfigOf(cluster, given(place)),
    ...more,
  });
  const { failure, all } = await host.call("k8s_pods", {});
  return { code: failure?.code, all, user: cluster.heard.slice(before).at(-1)?.user };
}

describe.skipIf(openssl.isMissing)(`a kubeconfig${openssl.note}`, () => {
  test("the cluster sees the token, the token file or the client's certificate that stands there as data or as files", async () => {
    const { client, authority } = cluster;
    const data = { "client-certificate-data": base64(client.cert), "client-key-data": base64(client.key) };
    expect(await userWith(() => ({}))).toMatchObject({ code: undefined, user: "robot" });
    expect(
      await userWith((place) => ({ user: { tokenFile: besides(place, "token", `${TOKEN}\n`), token: "old" } })),
    ).toMatchObject({ user: "robot" });
    expect(await userWith(() => ({ user: data }))).toMatchObject({ code: undefined, user: "certificate" });
    const files = await userWith((place) => ({
      cluster: {
        "certificate-authority-data": undefined,
        "certificate-authority": besides(place, "ca.crt", authority.ca),
      },
      user: {
        "client-certificate": besides(place, "robot.crt", client.cert),
        "client-key": join(place.path, besides(place, "robot.key", client.key)),
      },
    }));
    expect(files).toMatchObject({ code: undefined, user: "certificate" });
  });

  test("a name that the certificate has in the place of the host is asked for with tls-server-name", async () => {
    const named = await userWith(() => ({ cluster: { "tls-server-name": "localhost" } }));
    expect(named).toMatchObject({ code: undefined, user: "robot" });
    const wrong = await userWith(() => ({ cluster: { "tls-server-name": "other.example" } }));
    expect(wrong).toMatchObject({ code: "command_failed", user: undefined });
  });

  test("a name with a password is sent as it is, and a token goes before it", async () => {
    const named = { username: "robot", password: "pass:wörd-of-the-tests" };
    await userWith(() => ({ user: named }));
    expect(cluster.heard.at(-1)?.headers.authorization).toBe(`Basic ${base64("robot:pass:wörd-of-the-tests")}`);
    expect(await userWith(() => ({ user: { ...named, token: TOKEN } }))).toMatchObject({ user: "robot" });
  });

  test("a user that stands for another one says so to the cluster", async () => {
    await userWith(() => ({ user: { token: TOKEN, as: "viewer" } }));
    expect(cluster.heard.at(-1)?.headers["impersonate-user"]).toBe("viewer");
  });

  test("a cluster whose certificate another authority has issued is not spoken to", async () => {
    using other = createAuthority();
    const said = await userWith(() => ({ cluster: { "certificate-authority-data": base64(other.ca) } }));
    expect(said).toMatchObject({ code: "command_failed", user: undefined });
    expect(said.all).toContain("its certificate is not believed");
    expect(said.all).toContain("The certificate-authority of the cluster in its kubeconfig is believed");
  });

  test.each([
    ["insecure-skip-tls-verify", { cluster: { "insecure-skip-tls-verify": true } }, "proves nothing"],
    [
      "another server",
      { cluster: { server: "https://elsewhere.example:6443" } },
      "another server than packs.k8s names",
    ],
    ["a proxy", { cluster: { "proxy-url": "http://127.0.0.1:1" } }, "network.proxy"],
    ["an auth-provider", { user: { "auth-provider": { name: "gcp" } } }, "auth-provider"],
    ["groups to stand for", { user: { token: TOKEN, "as-groups": ["system:masters"] } }, "as-groups"],
    ["a token that no header takes", { user: { token: "a\r\nx-evil: 1" } }, "holds what no header can"],
    ["a certificate without its key", { user: { "client-certificate-data": "eA==" } }, "and not both"],
    ["an authority that is none", { cluster: { "certificate-authority-data": "eA==" } }, "is no PEM"],
    ["a file that is not there", { user: { tokenFile: "nothing" } }, "cannot be read"],
  ])("%s in a kubeconfig is refused with the reason, and nothing is asked", async (_, given, reason) => {
    const said = await userWith(() => given);
    expect(said).toMatchObject({ code: "denied", user: undefined });
    expect(said.all).toContain(reason);
    expect(said.all).not.toContain(TOKEN);
  });

  test.each([
    "",
    "[",
    "a: b",
    "contexts: 1",
    "contexts: [{name: stage, context: {cluster: a}}, {name: stage, context: {cluster: b}}]",
    '{"contexts":[{"name":"stage","context":{"cluster":"x"}}]}',
  ])("the text %j in the place of a kubeconfig is refused", async (text) => {
    await using host = await openK8sHost(cluster, { kubeconfig: text });
    expect((await host.call("k8s_pods", {})).failure?.code).toBe("denied");
  });

  test("a kubeconfig in a root, where tools could read it, is refused", async () => {
    await using host = await openK8sHost(cluster, {
      context: {},
      kubeconfig: kubeconfigOf(cluster),
      k8s: {},
      inRoot: true,
    });
    const { failure, all } = await host.call("k8s_pods", {});
    expect(failure?.code).toBe("denied");
    expect(all).toContain("lies where tools can read or write");
  });

  test("a token that was corrected is used by the next call, in the same host", async () => {
    let file = "";
    await using host = await openK8sHost(cluster, {
      kubeconfig: (place) => {
        file = join(place.path, "token");
        writeFileSync(file, "an-old-token-of-the-tests-0000");
        return kubeconfigOf(cluster, { user: { tokenFile: file } });
      },
    });
    expect((await host.call("k8s_pods", {})).failure?.code).toBe("denied");
    writeFileSync(file, TOKEN);
    expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
  });

  test("a token that expires is read anew within the call, however many calls find out at once", async () => {
    let file = "";
    let valid = TOKEN;
    cluster.on = (_, response) =>
      cluster.heard.at(-1)?.headers.authorization === `Bearer ${valid}` ? false : say(response, 401, statusOf(401));
    await using host = await openK8sHost(cluster, {
      kubeconfig: (place) => {
        file = join(place.path, "token");
        writeFileSync(file, TOKEN);
        return kubeconfigOf(cluster, { user: { tokenFile: file } });
      },
    });
    expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
    valid = WEAK_TOKEN;
    writeFileSync(file, WEAK_TOKEN);
    const before = cluster.heard.length;
    const said = await Promise.all(
      ["a", "b", "c", "d"].map(async (name) => await host.call("k8s_pods", { namespace: name })),
    );
    cluster.on = undefined;
    // The cluster of the tests believes the new token, and says that its user may do nothing.
    expect(said.map(({ all }) => all)).toEqual(said.map(() => expect.stringContaining("a Role of the cluster")));
    const tokens = cluster.heard.slice(before).map(({ headers }) => headers.authorization);
    expect(tokens.filter((one) => one === `Bearer ${WEAK_TOKEN}`)).toHaveLength(4);
    expect(tokens.length).toBeLessThanOrEqual(8);
  });

  test("two contexts of one server never use each other's credential", async () => {
    const { client } = cluster;
    const pair = { "client-certificate-data": base64(client.cert), "client-key-data": base64(client.key) };
    let weak = "";
    await using host = await openK8sHost(cluster, {
      kubeconfig: (place) => {
        weak = join(place.path, "weak.kubeconfig");
        writeFileSync(weak, kubeconfigOf(cluster, { user: { token: WEAK_TOKEN } }));
        return kubeconfigOf(cluster, { user: pair });
      },
      k8s: () => ({
        contexts: {
          strong: { server: cluster.url, context: "stage" },
          weak: { server: cluster.url, context: "stage", kubeconfig: weak },
        },
      }),
    });
    const from = cluster.heard.length;
    for (const context of ["strong", "weak", "strong", "weak"]) await host.call("k8s_pods", { context });
    expect(cluster.heard.slice(from).map(({ user }) => user)).toEqual([
      "certificate",
      "nobody",
      "certificate",
      "nobody",
    ]);
  });
});

describe.skipIf(openssl.isMissing || process.platform !== "linux")(
  `a plug-in that is declared as a command${openssl.note}`,
  () => {
    const exec = {
      exec: { apiVersion: "client.authentication.k8s.io/v1", command: "never-run", interactiveMode: "Never" },
    };
    const open = async (said: string, packs: object = {}) => await openRunning(`cat <<'END'\n${said}\nEND`, packs);
    const openRunning = async (script: string, packs: object) =>
      await openK8sHost(cluster, {
        packs,
        kubeconfig: kubeconfigOf(cluster, { user: exec }),
        context: { exec: "cluster_token" },
        config: (place: Place) => {
          const folder = join(place.path, "bin");
          mkdirSync(folder);
          const program = join(folder, "cluster-token");
          writeFileSync(program, `#!/bin/sh\n${script}\n`);
          chmodSync(program, 0o755);
          return { commands: { cluster_token: { description: "Gives a token.", program, changes: false } } };
        },
      });

    test("its token is used, and stands in no answer", async () => {
      await using host = await open(JSON.stringify({ kind: "ExecCredential", status: { token: TOKEN } }));
      const { failure, all } = await host.call("k8s_pods", {});
      expect([failure, cluster.heard.at(-1)?.user]).toEqual([undefined, "robot"]);
      expect(all).not.toContain(TOKEN);
    });

    test("a command that hangs holds up no other pack", async () => {
      using page = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("a page") });
      await using host = await openRunning("exec tail -f /dev/null", {
        web: { network: { reach: [`127.0.0.1:${page.port}`] } },
      });
      const ended: string[] = [];
      const listed = host.call("k8s_pods", {}).then(({ all }) => {
        ended.push("k8s_pods");
        return all;
      });
      expect((await host.call("web_fetch", { url: `http://127.0.0.1:${page.port}/` })).text).toContain("a page");
      ended.push("web_fetch");
      expect(await listed).toContain("took longer than 10000 ms");
      expect(ended).toEqual(["web_fetch", "k8s_pods"]);
    });

    test("its certificate is used in the place of a token", async () => {
      const { cert, key } = cluster.client;
      const status = { clientCertificateData: cert, clientKeyData: key };
      await using host = await open(JSON.stringify({ kind: "ExecCredential", status }));
      expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
      expect(cluster.heard.at(-1)?.user).toBe("certificate");
    });

    test.each(["", "a token", '{"kind":"ExecCredential","status":{}}', '{"status":{"token":"secret-of-the-tests"}}'])(
      "the output %j is no credential, and is not repeated",
      async (said) => {
        await using host = await open(said);
        const { failure, all } = await host.call("k8s_pods", {});
        expect(failure?.code).toBe("denied");
        expect(all).toContain("wrote no ExecCredential");
        expect(all).not.toContain("secret-of-the-tests");
      },
    );
  },
);

test.skipIf(openssl.isMissing || process.platform !== "linux")(
  `a host reads pods with a client's certificate, behind its fences${openssl.note}`,
  async () => {
    const { client } = cluster;
    const user = { "client-certificate-data": base64(client.cert), "client-key-data": base64(client.key) };
    await using host = await openK8sHost(cluster, {
      kubeconfig: kubeconfigOf(cluster, { user }),
    });
    expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
    expect(cluster.heard.at(-1)?.user).toBe("certificate");
    const { text } = await host.call("system_info", {});
    expect(text).toMatch(/stage: 127\.0\.0\.1:\d+, namespace payments, with \S+kubeconfig/);
  },
);
