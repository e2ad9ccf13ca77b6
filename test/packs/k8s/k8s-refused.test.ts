/**
 * A credential that is refused, by the launcher or by the cluster: what is said of it, and what is done about it.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { component } from "../../components/component.ts";
import { kubeconfigOf, openK8sHost } from "./k8s-host.ts";
import { openCluster, TOKEN, type OwnCluster } from "./own-cluster.ts";
import { statusOf } from "./recorded-statuses.ts";

const openssl = component("openssl");
let cluster: OwnCluster;

beforeAll(async () => {
  if (!openssl.isMissing) cluster = await openCluster();
});

afterAll(async () => {
  if (!openssl.isMissing) await cluster[Symbol.asyncDispose]();
});

/** Not of a form that the redactor knows. */
const PLUG_IN_SECRET = "correct-horse-of-the-tests";

describe.skipIf(openssl.isMissing)(`a credential that is refused${openssl.note}`, () => {
  test("a plug-in is refused by the name of its program, and neither run nor shown with its arguments and environment", async () => {
    let mark = "";
    await using host = await openK8sHost(cluster, {
      kubeconfig: (place) => {
        mark = join(place.path, "was-here");
        const args = ["-c", `touch ${mark}; echo --client-secret=${PLUG_IN_SECRET}`];
        const env = [{ name: "CLIENT_SECRET", value: PLUG_IN_SECRET }];
        return kubeconfigOf(cluster, { user: { exec: { command: "/bin/sh", args, env } } });
      },
    });
    const before = cluster.heard.length;
    const { failure, result, all } = await host.call("k8s_pods", {});
    expect(failure?.code).toBe("denied");
    expect(all).toContain('its user has the exec plug-in "sh", and a program that a kubeconfig names is not run');
    expect([existsSync(mark), cluster.heard.length - before]).toEqual([false, 0]);
    const [connected] = host.recorded("connected");
    expect(connected).toMatchObject({ problem: "credential" });
    for (const shown of [JSON.stringify(result), JSON.stringify(host.recorded("connected"))])
      expect(shown).not.toContain(PLUG_IN_SECRET);
  });

  test("a context without a kubeconfig is refused by the cluster, and told what is missing", async () => {
    const withoutFile = { k8s: { kubeconfig: undefined } };
    await using unknown = await openK8sHost(cluster, withoutFile);
    expect((await unknown.call("k8s_pods", {})).all).toContain("network.ca of the configuration names a file");
    const network = { ca: cluster.authority.caFile };
    await using believed = await openK8sHost(cluster, { ...withoutFile, config: { network } });
    const { failure, all } = await believed.call("k8s_pods", {});
    expect(failure?.code).toBe("denied");
    expect(all).toContain("There is no credential for stage: name a kubeconfig in packs.k8s");
    expect(all).not.toContain("anew");
  });

  test("a token is read anew also where the cluster packs the answer by which it refuses the old one", async () => {
    await using host = await openK8sHost(cluster, {
      kubeconfig: (place) => {
        const file = join(place.path, "token");
        writeFileSync(file, TOKEN);
        return kubeconfigOf(cluster, { user: { tokenFile: file } });
      },
    });
    // What was read for the request itself would be as old when it is read again.
    expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
    const packed = gzipSync(JSON.stringify(statusOf(401)));
    const before = cluster.heard.length;
    cluster.on = (_, response) => {
      if (cluster.heard.length > before + 1) return false;
      response.writeHead(401, { "content-encoding": "gzip" }).end(packed);
      return true;
    };
    const renewed = await host.call("k8s_pods", {});
    cluster.on = (_, response) => {
      response.writeHead(401, { "content-encoding": "gzip" }).end(packed);
      return true;
    };
    const refused = await host.call("k8s_pods", {});
    cluster.on = undefined;
    expect(renewed.failure).toBeUndefined();
    expect(cluster.heard.slice(before, before + 2).map(({ user }) => user)).toEqual(["robot", "robot"]);
    expect([refused.failure?.code, refused.all]).toEqual(["denied", expect.stringContaining("status 401")]);
  });
});
