/**
 * What a person has allowed besides the configuration: for this session, or remembered in the state folder where they
 * said so, for hosts with the same roots. A grant settles what would be asked; it lifts no deny.
 */
import { isoTime, newId, nowMs } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { parseRule, type Rule } from "../policy/index.ts";
import type { Grant } from "../calls/index.ts";
import { GrantStore, openStateFolder } from "../state/index.ts";

export class Grants {
  readonly #config: Config;
  readonly #session: Grant[] = [];
  #store: GrantStore | undefined;

  constructor(config: Config) {
    this.#config = config;
  }

  /** @throws Failure `invalid_input` for a rule that cannot be read */
  add(rule: string, isRemembered: boolean): Grant {
    const { text } = parseRule({ allow: rule, source: "grant" });
    const grant: Grant = {
      id: newId("g"),
      rule: text,
      roots: this.#roots(),
      at: isoTime(nowMs()),
      remembered: isRemembered,
    };
    if (isRemembered) this.#remembered().put(grant);
    else this.#session.push(grant);
    return grant;
  }

  list(): Grant[] {
    return [...this.#remembered().list(), ...this.#session];
  }

  /** @returns whether there was one */
  revoke(id: string): boolean {
    const index = this.#session.findIndex((grant) => grant.id === id);
    if (index < 0) return this.#remembered().remove(id);
    this.#session.splice(index, 1);
    return true;
  }

  /** The grants that hold in the roots of this host, as they stand now: a person may revoke one at any time. */
  rules(): readonly Rule[] {
    const roots = JSON.stringify(this.#roots());
    return this.list()
      .filter((grant) => JSON.stringify(grant.roots) === roots)
      .map(({ rule, id }) => parseRule({ allow: rule, source: `grant ${id}` }));
  }

  #roots(): string[] {
    return this.#config.roots.map(({ path }) => path);
  }

  #remembered(): GrantStore {
    this.#store ??= new GrantStore(openStateFolder(this.#config.stateDir).grants);
    return this.#store;
  }
}
