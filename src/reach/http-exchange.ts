/**
 * One exchange over HTTP, as a tool asks for it (`ctx.http`) and as it is answered. The address is inside the reach of the pack,
 * or nothing is sent.
 */

/** A request of a tool, as `ctx.http` takes it. */
export interface HttpRequest {
  /** http or https, without a user name, at most 4,096 characters. */
  readonly url: string;
  /** Default GET. */
  readonly method?: string | undefined;
  /** `host`, `connection`, `content-length` and the like are the broker's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** At most 64 MiB. */
  readonly body?: string | Uint8Array | undefined;
  /** The request changes nothing on the server, so a caller may be told to make it again. Default: for GET and HEAD. */
  readonly isRepeatable?: boolean | undefined;
  /** A credential of the pack, by its name in the configuration. */
  readonly credential?: string | undefined;
  /** Redirects that are followed, for GET and HEAD; each must be in reach and allowed by the rules. Default 0. */
  readonly redirects?: number | undefined;
  /** Asked before a redirect is followed; where it throws, that one is not. */
  readonly mayFollow?: ((url: string) => Promise<void>) | undefined;
  /** Bytes of the body. A longer one fails as `too_large`. Default 8 MiB, at most 32 MiB. */
  readonly maxBytes?: number | undefined;
  /** For all of it. Default 20,000, at most 60,000. */
  readonly timeoutMs?: number | undefined;
  /** The caller unpacks it (`content-encoding`). Default: the server is asked for the plain body, and another one fails. */
  readonly takesEncoded?: boolean | undefined;
}

/** What a server answered, whatever its status. The body is as it came. */
export interface HttpAnswer {
  readonly status: number;
  /** In lower case; of several of one name the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly finalUrl: string;
  /** Addresses that it was sent on from. */
  readonly redirects: readonly string[];
}

/** Requests inside the reach of the pack, made by the broker. @throws Failure `denied`, `timed_out`, `too_large`, `command_failed` */
export interface HttpApi {
  (request: HttpRequest): Promise<HttpAnswer>;
  /** Refuses what could not be sent either, and sends nothing: for the preview of a call. */
  readonly check: (request: HttpRequest) => Promise<void>;
  /** A URL of an object store that holds its own permission, by a credential with `aws4`. Nothing is sent. */
  readonly presign: (ask: {
    readonly url: string;
    readonly method: string;
    readonly credential: string;
    readonly seconds: number;
  }) => Promise<string>;
}
