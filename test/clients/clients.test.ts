/**
 * Agents that people use, each with the configuration that docs/clients.md gives for it, the compiled executable, and a
 * model that follows a script. Here all scenarios of a client stand in one session; `bun run test:clients` gives each
 * scenario a session of its own, and asks for all clients.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { npmClient } from "../components/npm-client.ts";
import { until } from "../waits/until.ts";
import { DRIVEN_CLIENTS, type DrivenClient } from "./driven-clients.ts";
import { ClientSession, type RecordLine } from "./play-client.ts";
import { INTERRUPTED, SCENARIOS, type Scenario, type Step } from "./scenarios.ts";

const IS_LONG = process.env["RINGFENCE_TEST_CLIENTS"] === "long";

for (const client of DRIVEN_CLIENTS) {
  const { isMissing, note } = npmClient(client.name);
  const { title = client.section } = client;
  if (isMissing) test.skip(`${title}${note}`, () => {});
  else describe(title, () => drive(client));
}

function drive(client: DrivenClient): void {
  const scenarios = scenariosFor(client, SCENARIOS);
  const sessions = new Map<readonly Step[], Promise<ClientSession>>();
  const all = scenarios.flatMap(({ steps }) => steps);
  const play = async (steps: readonly Step[]): Promise<ClientSession> => {
    const session = sessions.get(steps) ?? playToEnd(client, steps);
    sessions.set(steps, session);
    return await session;
  };
  const whole = IS_LONG ? (scenarios[0]?.steps ?? all) : all;
  afterAll(async () => {
    for (const session of await Promise.allSettled(sessions.values()))
      if (session.status === "fulfilled") await session.value[Symbol.asyncDispose]();
  });

  test.each(scenarios)("the client does what its scenario says: $title", async ({ steps }) => {
    const session = await play(IS_LONG ? steps : all);
    const first = IS_LONG ? 0 : all.indexOf(steps[0] as Step);
    for (const [index, step] of steps.entries()) expectTold(session, first + index, step);
  });

  test("the client is offered our tools, and none of its own that read, write or run", async () => {
    const offered = (await play(whole)).asked[0]?.offered ?? [];
    const ours = new Set(all.map(({ tool }) => client.nameOf(tool)));
    expect([...ours].filter((name) => !offered.includes(name))).toEqual([]);
    expect(client.closed.filter((name) => offered.includes(name))).toEqual([]);
  });

  test("the client leaves nothing running when it has ended", async () => {
    await (await play(whole)).nothingIsLeft();
  });

  const interrupted = scenariosFor(client, INTERRUPTED).slice(0, IS_LONG ? undefined : 1);
  test.each(interrupted)(
    "interrupted $title, leaves nothing running and no call without its end",
    async ({ steps }) => {
      await interrupt(client, steps);
    },
  );
}

/**
 * Ctrl-C while the last of the steps is under way, or while the model holds its reply to it. A client may kill its host
 * before that has stopped; then there is nothing to say about its record.
 */
async function interrupt(client: DrivenClient, steps: readonly Step[]): Promise<void> {
  await using session = await ClientSession.start(client, steps);
  const started = (): string[] => session.records().flatMap((record) => callsOf(record, "started"));
  const isHeld = steps.at(-1)?.isHeld === true;
  await until("the call", () => (isHeld ? session.results : started()).length === steps.length);
  session.interrupt();
  await session.ended();
  await session.nothingIsLeft();
  for (const record of session.records().filter((lines) => lines.at(-1)?.event === "stop"))
    expect([...callsOf(record, "completed"), ...callsOf(record, "failed")]).toEqual(callsOf(record, "started"));
}

function callsOf(record: readonly RecordLine[], event: string): string[] {
  return record.flatMap((line) => (line.event === event && line.call !== undefined ? [line.call] : []));
}

/** The scenarios that the client can play, in the names of its dialect. */
function scenariosFor(client: DrivenClient, all: readonly Scenario[]): Scenario[] {
  const { name, dialect, checksArguments } = client;
  return all.flatMap((scenario) => {
    if (scenario.isAgainstSchema && checksArguments) return [];
    if (scenario.only !== undefined && scenario.only !== name) return [];
    const steps = scenario.steps.map((step) =>
      dialect === undefined || !(dialect in step) ? { ...step } : step[dialect] && { ...step, ...step[dialect] },
    );
    return steps.includes(undefined) ? [] : { ...scenario, steps: steps.filter((step) => step !== undefined) };
  });
}

async function playToEnd(client: DrivenClient, steps: readonly Step[]): Promise<ClientSession> {
  const session = await ClientSession.start(client, steps);
  try {
    await session.ended();
    return session;
  } catch (thrown) {
    await session[Symbol.asyncDispose]();
    throw thrown;
  }
}

function expectTold(session: ClientSession, index: number, { says, hides, isApproved }: Step): void {
  const result = session.results[index];
  if (result === undefined) throw new Error(`the model was told nothing; ${session.shown()}`);
  for (const part of says) expect(result).toMatch(part);
  if (hides !== undefined) expect(result).not.toContain(hides);
  if (isApproved) expect(session.approvals.get(index)).toMatchObject({ code: 0, stderr: "" });
}
