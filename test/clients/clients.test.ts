/**
 * Agents that people use, each with the configuration that docs/clients.md gives for it, the compiled executable, and a
 * model that follows a script. Here all scenarios of a client stand in one session; `bun run test:clients` gives each
 * scenario a session of its own, and asks for all clients.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { npmClient } from "../components/npm-client.ts";
import { until } from "../waits/until.ts";
import { DRIVEN_CLIENTS, type DrivenClient } from "./driven-clients.ts";
import { ClientSession } from "./play-client.ts";
import { INTERRUPTED, SCENARIOS, type Scenario, type Step } from "./scenarios.ts";

const IS_LONG = process.env["RINGFENCE_TEST_CLIENTS"] === "long";

for (const client of DRIVEN_CLIENTS) {
  const { isMissing, note } = npmClient(client.name);
  if (isMissing) test.skip(`${client.section}${note}`, () => {});
  else describe(client.section, () => drive(client));
}

function drive(client: DrivenClient): void {
  const scenarios = SCENARIOS.map((scenario) => ({ ...scenario, steps: stepsFor(client, scenario) })).filter(
    ({ steps }) => steps.length > 0,
  );
  const sessions = new Map<string, Promise<ClientSession>>();
  const sessionOf = async (scenario: Scenario): Promise<ClientSession> => {
    const key = IS_LONG ? scenario.title : "all";
    const steps = IS_LONG ? scenario.steps : scenarios.flatMap((one) => one.steps);
    const session = sessions.get(key) ?? playToEnd(client, steps);
    sessions.set(key, session);
    return await session;
  };
  afterAll(async () => {
    for (const session of await Promise.allSettled(sessions.values()))
      if (session.status === "fulfilled") await session.value[Symbol.asyncDispose]();
  });

  test.each(scenarios)("$title", async (scenario) => {
    const session = await sessionOf(scenario);
    const before = IS_LONG ? [] : scenarios.slice(0, scenarios.indexOf(scenario));
    const stepsBefore = before.flatMap(({ steps }) => steps);
    const results = session.results.slice(stepsBefore.length);
    for (const [index, step] of scenario.steps.entries()) expectTold(results[index], step, session);
    const approved = (steps: readonly Step[]): number => steps.filter(({ isApproved }) => isApproved).length;
    const from = approved(stepsBefore);
    const approvals = session.approvals.slice(from, from + approved(scenario.steps));
    expect(approvals.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      approvals.map(() => ({ code: 0, stderr: "" })),
    );
  });

  test("is offered our tools, and none of its own that read, write or run", async () => {
    const [scenario] = scenarios;
    if (scenario === undefined) throw new Error("there is no scenario");
    const session = await sessionOf(scenario);
    const offered = session.asked[0]?.offered ?? [];
    const ours = scenarios.flatMap(({ steps }) => steps).map(({ tool }) => client.nameOf(tool));
    expect([...new Set(ours)].filter((name) => !offered.includes(name))).toEqual([]);
    expect(client.closed.filter((name) => offered.includes(name))).toEqual([]);
  });

  test("leaves nothing running when it has ended", async () => {
    const [scenario] = scenarios;
    if (scenario === undefined) throw new Error("there is no scenario");
    await (await sessionOf(scenario)).nothingIsLeft();
  });

  const interrupted = INTERRUPTED.map((scenario) => ({ ...scenario, steps: stepsFor(client, scenario) }))
    .filter(({ steps }) => steps.length > 0)
    .slice(0, IS_LONG ? undefined : 1);
  test.each(interrupted)("interrupted $title, leaves nothing running, and no call without its end in the record", async ({
    steps,
  }) => {
    await using session = await ClientSession.start(client, steps);
    const events = (event: string): unknown[] =>
      session.record().flatMap((line) => (line["event"] === event ? [line["call"]] : []));
    const isHeld = steps.some((step) => step.isHeld);
    await until("the call", () => (isHeld ? session.results.length > 0 : events("started").length > 0));
    session.interrupt();
    await session.ended();
    await session.nothingIsLeft();
    expect([...events("completed"), ...events("failed")]).toEqual(events("started"));
  });
}

/** The steps as the client's dialect has them; none where it lacks one. */
function stepsFor({ dialect }: DrivenClient, { steps }: Scenario): readonly Step[] {
  if (dialect === undefined) return steps;
  const own = steps.flatMap((step) => (step[dialect] === undefined ? [] : { ...step, ...step[dialect] }));
  return own.length === steps.length ? own : [];
}

async function playToEnd(client: DrivenClient, steps: readonly Step[]): Promise<ClientSession> {
  const session = await ClientSession.start(client, steps);
  await session.ended();
  return session;
}

function expectTold(result: string | undefined, { says, hides }: Step, session: ClientSession): void {
  if (result === undefined) throw new Error(`the model was told nothing; ${session.shown()}`);
  for (const part of says) expect(result).toMatch(part);
  if (hides !== undefined) expect(result).not.toContain(hides);
}
