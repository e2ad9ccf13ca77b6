/**
 * What a broker is told before anything else, by the launcher, which has it from the configuration as it was before the host read
 * anything: how the network is left, what each pack may reach, and the credentials that it adds. No worker and no tool has any of
 * these values.
 */

/** The name of its process, which is that of the power that tools have. */
export const BROKER = "http";

/**
 * The process for a request of a pack: one for all of them, and one of its own for each credential that is read when that process
 * is started. It can be started anew then, or fail to start, without anybody else noticing.
 */
export function brokerFor(pack: string, { credentials = {} }: PackNetwork, credential: string | undefined): string {
  const isRead = credential !== undefined && credentials[credential]?.cluster !== undefined;
  return isRead ? `${BROKER}:${pack}:${credential}` : BROKER;
}

/** What each of these processes is told of a pack: no credential of another one. */
export function brokersOf(pack: string, network: PackNetwork): [broker: string, network: PackNetwork][] {
  const credentials = Object.entries(network.credentials ?? {});
  const [own = [], others = []] = [true, false].map((isRead) =>
    credentials.filter(([, { cluster }]) => (cluster !== undefined) === isRead),
  );
  return [
    [BROKER, { ...network, credentials: Object.fromEntries(others) }],
    ...own.map(([name, credential]): [string, PackNetwork] => [
      brokerFor(pack, network, name),
      { ...network, reach: credential.hosts, credentials: { [name]: credential } },
    ]),
  ];
}

export function isBroker(power: string): boolean {
  return power === BROKER || power.startsWith(`${BROKER}:`);
}

/** `network` in the configuration. */
export interface NetworkConfig {
  /** `http://host:port` of a proxy that every connection but those to this machine goes through. */
  readonly proxy?: string | undefined;
  /** Ranges of addresses (`10.0.0.0/8`) that names may lead to besides public ones. */
  readonly ranges?: readonly string[] | undefined;
  /** A file with certificates (PEM) that are believed besides the usual ones. */
  readonly ca?: string | undefined;
}

/**
 * What the broker adds to requests to some hosts. `${NAME}` in a value stands for a variable of the host's environment, and
 * `${file:/PATH}` for the content of a file; the launcher fills both in.
 */
export interface Credential {
  /** Entries as in `reach`; the credential is sent nowhere else. */
  readonly hosts: readonly string[];
  /** Where it goes over http too, besides this machine and entries that say port 80: services that the configuration writes so. */
  readonly overHttp?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Added to every request to these hosts that names no credential. */
  readonly isAlways?: boolean | undefined;
  /** PEM: a client's certificate with its key, and the authority that is believed for these hosts in the place of all others. */
  readonly tls?:
    | {
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
        readonly ca?: string | undefined;
        /** The name that the certificate must have, where it is another one than that of the host. */
        readonly serverName?: string | undefined;
      }
    | undefined;
  /** A cluster of Kubernetes. The launcher puts `headers` and `tls` from its kubeconfig in the place of this. */
  readonly cluster?: ClusterAccess | undefined;
  /** Why there is none, from the launcher: a request that names it fails with this. */
  readonly unusable?: { readonly message: string; readonly hint: string } | undefined;
  /** Requests are signed for an object store (AWS Signature Version 4). */
  readonly aws4?:
    | {
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly region: string;
        readonly service: string;
      }
    | undefined;
}

/** Where the credential of a cluster stands. */
export interface ClusterAccess {
  /** For people. */
  readonly name: string;
  /** Absolute: a kubeconfig. */
  readonly kubeconfig: string;
  /** The context in it. */
  readonly context: string;
  /** The address that the context must have there, so that its credential is sent nowhere else. */
  readonly server: string;
  /** A declared command that is run in the place of the plug-in that the kubeconfig names, and says what that would. */
  readonly exec?: string | undefined;
}

/** What a pack says about the network, from its settings (`definePack`). */
export interface PackNetwork {
  readonly reach: readonly string[];
  /** By name; a request names the one that it wants. */
  readonly credentials?: Readonly<Record<string, Credential>> | undefined;
  /** Requests to one host within a minute. Default: as many as it likes. */
  readonly perMinute?: number | undefined;
}

export interface BrokerOrder {
  readonly network: Omit<NetworkConfig, "ca"> & {
    /** The certificates themselves. */ readonly ca?: string | undefined;
  };
  /** By the names of the packs that are on. */
  readonly packs: Readonly<Record<string, PackNetwork>>;
}
