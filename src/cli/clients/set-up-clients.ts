/**
 * Sets up clients one after the other: shows the diff of each file, asks, writes one transaction for each client, lets the
 * client check itself, and says what a person still has to do. A client whose files cannot be edited does not hold back others.
 */
import { Failure, failureText, nowMs } from "../../base/index.ts";
import type { ClientRow, ClientScope, ClientPlaces, Setup } from "../../clients/index.ts";
import type { RawConfig } from "../../config/index.ts";
import { SetupStore } from "../../state/index.ts";
import { askYes, messages, print, printText } from "../print.ts";
import { checkClient } from "./check-client.ts";
import { commitFiles, openFilesHost } from "./commit-files.ts";
import { planClient, type ClientPlan } from "./plan-init.ts";
import { showFile } from "./show-plan.ts";

export interface InitRequest {
  readonly raw: RawConfig;
  readonly rows: readonly ClientRow[];
  readonly setup: Setup;
  readonly places: ClientPlaces;
  readonly scope: ClientScope;
  readonly isAgreed: boolean;
  readonly dryRun: boolean;
  /** Whether the client is asked at the end. */
  readonly check: boolean;
}

/** @returns whether every client is set up, or would be. @throws UsageError for nothing that a person could have typed */
export async function setUpClients(request: InitRequest): Promise<boolean> {
  let isWhole = true;
  for (const row of request.rows) {
    try {
      const plan = planClient(row, request.setup, request.places, request.scope);
      if (!(await writePlan(plan, request))) continue;
      if (!request.dryRun) finish(plan, request);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      messages().error(failureText(thrown.data));
      isWhole = false;
    }
  }
  return isWhole;
}

/** @returns false when the person said no */
async function writePlan({ row, scope, files }: ClientPlan, request: InitRequest): Promise<boolean> {
  const { raw, isAgreed, dryRun } = request;
  if (files.length === 0) {
    print(`${row.title}: everything is there already.`);
    return true;
  }
  if (scope === "user") {
    const why = scope === request.scope ? "" : ` has no files of a ${request.scope}`;
    const served = request.setup.roots.join(" and ");
    messages().info(
      `${row.title}${why}: this is for all folders of this user, and ringfence serves only ${served} in them.`,
    );
  }
  for (const file of files) showFile(file);
  if (dryRun) {
    print(`${row.title}: nothing was written.`);
    return true;
  }
  if (
    !isAgreed &&
    !(await askYes(`Write ${files.length === 1 ? "this file" : `these ${files.length} files`} for ${row.title}?`))
  ) {
    print(`${row.title}: nothing was written.`);
    return false;
  }
  const paths = files.map(({ path }) => path);
  using host = await openFilesHost(raw, paths);
  const transaction = await commitFiles(host, files);
  const noted = files.map(({ path, before, pieces }) => ({ path, isNew: before === undefined, pieces }));
  const at = new Date(nowMs()).toISOString();
  new SetupStore(host.config.stateDir).add({ client: row.name, transaction, at, files: noted });
  for (const path of paths) printText(`Written: ${path}`);
  return true;
}

function finish({ row, scope }: ClientPlan, { places, check, setup }: InitRequest): void {
  const checked = check ? checkClient(row, places) : undefined;
  if (checked) printText(checked.said);
  const isTrusted = setup.trustsProject || scope === "managed" || checked?.isConnected === true;
  const trust = row.trustClick === undefined || isTrusted ? [] : [row.trustClick];
  const guard = setup.guards && row.guardClick !== undefined ? [row.guardClick] : [];
  const clicks = [...trust, ...guard, ...(row.clicks[scope] ?? [])];
  for (const click of clicks) print(`Still to do: ${click}`);
}
