/**
 * Every hint that names a command: somebody is told it, runs it as it is printed, and gets what it promised.
 */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineRemoteTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openAsker } from "../host/asker.ts";
import { labelOf, openTestHost, type TestHost, type Members } from "../host/in-memory-host.ts";
import { commandIn, runPrinted, type Printed } from "./run-printed.ts";

export interface CommandHint {
  /** Where it is made: a source, and a part of the text or code there. */
  readonly from: readonly (readonly [path: string, part: string])[];
  readonly title: string;
  readonly run: () => Promise<void>;
}

const FILES = { "a.txt": "one\n", "b.txt": "two\n" };
const EDIT = { path: "a.txt", old_text: "one", new_text: "1" };
const NO_PROPOSAL = "p_0123456789abcdefghijkl";

async function waiting(host: TestHost): Promise<string[]> {
  const { result } = await host.request("ringfence/proposals/list");
  return (result.proposals as { id: string }[]).map(({ id }) => id);
}

async function refused(host: TestHost, method: string, params: Members): Promise<string> {
  const { error } = await host.request(method, params);
  return error.data.hint as string;
}

async function obeyed(command: string, answer?: string): Promise<Printed> {
  const printed = await runPrinted(command, answer);
  expect([command, printed]).toEqual([command, { code: 0, out: printed.out }]);
  return printed;
}

/** A root whose name a shell would take apart, and two of them. */
const ROOTS = "it's a root";

async function open(config = {}): Promise<TestHost> {
  return openTestHost({ files: { ...FILES, [`${ROOTS}/c.txt`]: "c\n" }, config });
}

function foreignHost(): TestHost {
  const tool = defineRemoteTool({
    name: "mcp_far_say",
    aliases: [],
    owner: 'the MCP server "far"',
    tool: "say",
    inputSchema: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "said" }] }),
  });
  return openTestHost({ tools: [...builtinTools, tool] });
}

async function grantForeign(): Promise<void> {
  await using host = foreignHost();
  const answer = await host.call("mcp_far_say", {});
  await using other = openTestHost({ top: host.top });
  const hint = await refused(other, "ringfence/proposals/apply", { id: labelOf(answer) });
  await obeyed(commandIn(hint, "ringfence grants add "));
  expect((await host.call("mcp_far_say", {})).text).toBe("said");
  await obeyed(commandIn(hint, "ringfence proposals reject "));
  expect(await waiting(host)).toEqual([]);
}

async function approveForeign(): Promise<void> {
  await using host = foreignHost();
  const answer = await host.call("mcp_far_say", {});
  await using other = openTestHost({ top: host.top });
  const label = labelOf(answer);
  const hint = await refused(other, "ringfence/proposals/apply", { id: label });
  // Somebody at a terminal would be shown the proposal, and asked.
  const [id = ""] = label.split("@");
  await obeyed(commandIn(hint, "ringfence proposals apply ").replace(id, label));
  expect((await host.call("await_review", { seconds: 10 })).text).toEndWith("It answered:\nsaid");
}

async function grantAndCallAgain(): Promise<void> {
  await using first = await open();
  const roots = [first.root, join(first.root, ROOTS)];
  await using host = openTestHost({ top: first.top, config: { roots } });
  const search = { pattern: "password" };
  const { failure } = await host.call("grep", search);
  await obeyed(commandIn(failure?.hint ?? ""));
  expect((await host.call("grep", search)).failure).toBeUndefined();
}

async function grantAsExplained(): Promise<void> {
  await using host = await open({ rules: [{ ask: "read_file(*.txt)" }] });
  const asked = { name: "read_file", arguments: { path: "a.txt" } };
  const { result } = await host.request("ringfence/policy/explain", asked);
  await obeyed(commandIn(result.change as string));
  expect((await host.call("read_file", { path: "a.txt" })).text).toBe("one\n");
}

async function listWaiting(): Promise<void> {
  await using host = await open();
  const { proposal } = await host.call("edit_file", EDIT);
  const command = commandIn(await refused(host, "ringfence/proposals/get", { id: NO_PROPOSAL }));
  expect((await obeyed(command)).out).toContain(proposal?.id ?? "none");
}

async function listTransactions(): Promise<void> {
  await using host = await open({ mode: "bypass" });
  const [id = ""] = /t_[\w-]{22}/.exec((await host.call("edit_file", EDIT)).all) ?? [];
  const unknown = { transaction: "t_0123456789abcdefghijkl" };
  const command = commandIn(await refused(host, "ringfence/history/undo", unknown));
  expect((await obeyed(command)).out).toContain(id);
}

async function listGrants(): Promise<void> {
  await using host = await open();
  const rule = { rule: "write_file(notes/**)", remember: true };
  const { result } = await host.request("ringfence/grants/add", rule);
  const command = commandIn(await refused(host, "ringfence/grants/revoke", { id: "g_x" }));
  expect((await obeyed(command)).out).toContain(result.grant.id);
}

async function rejectWhatIsMade(): Promise<void> {
  await using host = await open();
  const answer = await host.call("edit_file", EDIT);
  writeFileSync(join(host.root, "a.txt"), "1\n");
  const { error } = await host.apply(answer);
  expect(error.data).toMatchObject({ code: "stale", details: { diff: "" } });
  expect(error.data.message).toEndWith("its change is made already");
  await obeyed(commandIn(error.data.hint));
  expect(await waiting(host)).toEqual([]);
}

async function applyElsewhere(): Promise<void> {
  await using host = await open();
  const answer = await host.call("edit_file", EDIT);
  await using other = openTestHost({ top: host.top, config: { roots: [host.outside] } });
  const hint = await refused(other, "ringfence/proposals/apply", { id: labelOf(answer) });
  const { out } = await obeyed(commandIn(hint), "y\n");
  expect(host.read("a.txt")).toBe("1\n");
  const [transaction = ""] = /t_[\w-]{22}/.exec(out) ?? [];
  const undoing = await refused(other, "ringfence/history/undo", { transaction });
  await obeyed(commandIn(undoing));
  expect(host.read("a.txt")).toBe("one\n");
}

async function showOtherDigest(): Promise<void> {
  await using host = await open();
  const answer = await host.call("edit_file", EDIT);
  const wrong = { id: `${answer.proposal?.id}@${"0".repeat(40)}` };
  const command = commandIn(await refused(host, "ringfence/proposals/apply", wrong));
  expect((await obeyed(command)).out).toContain(labelOf(answer));
}

async function largeForm(): Promise<void> {
  await using asker = await openAsker("2025-11-25", {});
  const content = "0123456789\n".repeat(20_000);
  const { form, answer } = await asker.ask({ name: "write_file", arguments: { path: "a.txt", content } });
  expect((await obeyed(commandIn(form.message, "ringfence proposals show "))).out).toContain(
    "+0123456789\n".repeat(20_000),
  );
  await obeyed(commandIn(form.message, "ringfence proposals apply "));
  expect(asker.host.read("a.txt")).toBe(content);
  await answer({ action: "cancel" });
}

async function showPages(): Promise<void> {
  await using host = await open();
  const content = "0123456789\n".repeat(20_000);
  const { proposal } = await host.call("write_file", { path: "c.txt", content });
  const first = `ringfence proposals show ${proposal?.id} --state-dir ${host.stateDir}`;
  const { out } = await obeyed(first);
  const second = await obeyed(commandIn(out, `${first.replace(/ --state-dir.*/, "")} --page 2`));
  expect(second.out).toContain("Page 2 of ");
  const whole = await obeyed(commandIn(out, `${first.replace(/ --state-dir.*/, "")} --full`));
  expect(whole.out).toContain("+0123456789\n".repeat(20_000));
}

async function undoWhatWasRejectedTooLate(): Promise<void> {
  const config = { baseline: "if_known" };
  await using asker = await openAsker("2025-11-25", { files: FILES, config });
  const { answer } = await asker.ask({ name: "edit_file", arguments: EDIT });
  const [id] = await waiting(asker.host);
  await asker.host.request("ringfence/proposals/apply", { id });
  const result = await answer({ action: "accept", content: { decision: "reject" } });
  await obeyed(commandIn(result.content.at(-1).text));
  expect(asker.host.read("a.txt")).toBe("one\n");
}

const made = (path: string, part: string): readonly [string, string] => [path, part];

export const COMMAND_HINTS: readonly CommandHint[] = [
  {
    title: "a call that needs approval is made once the grant is added",
    from: [made("src/pipeline/decide/permit.ts", "grantCommand("), made("src/pipeline/grant.ts", "terminalCommand(")],
    run: grantAndCallAgain,
  },
  {
    title: "explain names the grant that settles a call",
    from: [made("src/methods/explain.ts", "grantCommand(")],
    run: grantAsExplained,
  },
  {
    title: "a call whose tool is not here is approved, and made by the host that proposed it",
    from: [made("src/pipeline/proposal/apply.ts", '"apply", id')],
    run: approveForeign,
  },
  {
    title: "a tool that is not here is allowed for its host, and its proposal ended",
    from: [
      made("src/pipeline/proposal/apply.ts", "grantCommand("),
      made("src/pipeline/proposal/apply.ts", '"reject", id'),
    ],
    run: grantForeign,
  },
  {
    title: "an unknown proposal: those that wait are listed",
    from: [made("src/state/proposal-store.ts", '"list"')],
    run: listWaiting,
  },
  {
    title: "an unknown transaction: those that are kept are listed",
    from: [made("src/state/history-store.ts", '"history"')],
    run: listTransactions,
  },
  {
    title: "an unknown grant: those that hold are listed",
    from: [made("src/methods/grants.ts", '"grants"')],
    run: listGrants,
  },
  {
    title: "a proposal whose change is made already is ended",
    from: [made("src/jobs/proposal/apply-changes.ts", '"reject"')],
    run: rejectWhatIsMade,
  },
  {
    title: "what belongs to other roots is applied and undone at a terminal",
    from: [made("src/jobs/change/change-bench.ts", "made.command")],
    run: applyElsewhere,
  },
  {
    title: "a proposal that is not what was shown is shown again",
    from: [made("src/jobs/proposal/refuse.ts", '"show"')],
    run: showOtherDigest,
  },
  {
    title: "what is too large for a form is shown and applied in a terminal",
    from: [made("src/pipeline/proposal/ask.ts", '"proposals", ...words')],
    run: largeForm,
  },
  {
    title: "a long proposal has its other pages, and all of them",
    from: [made("src/cli/commands/proposals.ts", '"show", details.id')],
    run: showPages,
  },
  {
    title: "a change that was rejected too late is undone",
    from: [made("src/pipeline/proposal/ask.ts", '"undo"')],
    run: undoWhatWasRejectedTooLate,
  },
];
