/** Two gateways stand in for each other: at every moment one of them takes the badges of a terminal (F10, F11). */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { statusCommand } from '../../../src/commands/status/status.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import type { FleetStage, Gateway } from '../../support/fleet/fleet-stage.ts';
import { setFleetStage, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import { passBy } from '../../support/agent/screen.ts';
import type { Running } from '../../support/agent/stage.ts';
import { aliceCard } from '../../support/agent/stage.ts';

needsPostgres()('terminals of a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** The first serves the terminal, the other one stands by. */
  async function serving({
    a,
    b,
  }: FleetStage): Promise<{ readonly first: Running; readonly second: Running }> {
    const first = await a.start();
    await first.told('terminal ready');
    await first.told('reader up');
    const second = await b.start();
    await second.told('terminal out of service', ({ reason }) => reason === 'elsewhere');
    // Whoever is alone serves on without the engine, and the other one asks people as long as it is so.
    await first.told('alone no more');
    const known = () => fetch(`${first.operations}/status`).then((answer) => answer.json());
    await expect
      .poll(known)
      .toMatchObject({ fleet: { members: [{ isBeating: true }, { isBeating: true }] } });
    return { first, second };
  }

  /** Resolves when it takes badges there. */
  async function takeover(agent: Running): Promise<void> {
    await agent.told('terminal taken over');
    await agent.told('reader up');
    await agent.told('terminal ready');
  }

  async function released({ stage }: FleetStage, agent: Running): Promise<void> {
    await untilBadgeMayBeHeldAgain();
    stage.reader.tap(aliceCard);
    await agent.told('session opened');
    await untilBadgeMayBeHeldAgain();
    stage.reader.tap(aliceCard);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  }

  async function statusOf({ configFile: config }: Gateway): Promise<string> {
    const lines: string[] = [];
    const io = { out: (text: string) => lines.push(text), error: (text: string) => lines.push(text) };
    await statusCommand(
      { config },
      { ...io, env: {}, clock: systemClock, stop: new AbortController().signal },
    );
    return lines.join(' ').replace(/\s+/g, ' ');
  }

  it('F10: one serves, the other says who, and reports nothing of the terminal to the service', async () => {
    await using fleet = await setFleetStage(postgres);
    const { first, second } = await serving(fleet);
    await using screen = await passBy(second);
    await screen.reads('This printer is served by gateway-a at the moment.');
    await released(fleet, first);
    expect(await statusOf(fleet.b)).toContain('lobby is served by gateway-a');
    expect(await statusOf(fleet.b)).toContain(
      'serves 0 of 1 terminals; 2 of 2 members are running: gateway-a, gateway-b',
    );
    expect(await statusOf(fleet.a)).toContain('serves 1 of 1 terminals');
    const metrics = await (await fetch(`${second.operations}/metrics`)).text();
    expect(metrics).toContain('platen_fleet_engine_up 1');
    expect(metrics).toContain('platen_fleet_members 2');
    expect(metrics).toContain('platen_fleet_terminals_held 0');
    expect(metrics).not.toContain('platen_terminal_ready{');
    expect(second.records.filter(({ msg }) => msg === 'status reported')).toEqual([]);
    expect(first.records.filter(({ msg }) => msg === 'status reported')).not.toEqual([]);
  });

  /** The printer is at another address from now on. */
  function renumber({ configFile }: Gateway): void {
    const config = readFileSync(configFile, 'utf8');
    writeFileSync(configFile, config.replace('uri: ipp://127.0.0.1', 'uri: ipp://localhost'));
  }

  it('F11: while one gateway knows another address of the printer, one of them serves the terminal and both say so, until they agree', async () => {
    await using fleet = await setFleetStage(postgres);
    renumber(fleet.b);
    const { first, second } = await serving(fleet);
    const both = [first, second];
    const differs = (record: LogRecord) => record['code'] === 'fleet-terminal-differs';
    for (const agent of both) await agent.told('condition raised', differs);
    await released(fleet, first);
    expect(fleet.stage.printer.outputs).toHaveLength(1);
    expect(second.records.filter(({ msg }) => msg === 'card read' || msg === 'session opened')).toEqual([]);

    renumber(fleet.a);
    const following = takeover(second);
    await first.reload();
    for (const agent of both) await agent.told('condition cleared', differs);
    await following;
    await untilBadgeMayBeHeldAgain();
    fleet.stage.reader.tap(aliceCard);
    await second.told('session opened');
    expect(first.records.filter(({ msg }) => msg === 'session opened')).toHaveLength(1);
  });

  it('F11: who stops in order is followed, and a badge there prints', async () => {
    await using fleet = await setFleetStage(postgres);
    const { first, second } = await serving(fleet);
    const following = takeover(second);
    await first.stop();
    await following;
    expect(first.records.map(({ msg }) => msg)).toContain('terminal handed over');
    await released(fleet, second);
    expect(fleet.stage.printer.outputs).toHaveLength(1);
  });

  it('F11: who is cut from the engine takes no badge any more, and its session ends when it hears who serves the terminal', async () => {
    await using fleet = await setFleetStage(postgres);
    const { first, second } = await serving(fleet);
    fleet.stage.reader.tap(aliceCard);
    await first.told('session opened');
    await using screen = await passBy(first);
    const following = takeover(second);
    fleet.a.line.cut();
    await following;
    const of = (msg: string) => first.records.filter((record) => record['msg'] === msg);
    expect(of('session closed')).toEqual([]);
    await released(fleet, second);
    expect(of('card read')).toHaveLength(1);
    fleet.a.line.mend();
    expect(await first.told('session closed')).toMatchObject({ reason: 'stopped' });
    await screen.reads('This printer is served by gateway-b at the moment.');
  });

  it('F12: while the engine is away nobody takes a badge, and both are back when it is', async () => {
    await using fleet = await setFleetStage(postgres);
    const { first, second } = await serving(fleet);
    await using screen = await passBy(first);
    for (const { line } of [fleet.a, fleet.b]) line.cut();
    await first.told('terminal out of service', ({ reason }) => reason === 'engine-away');
    await screen.reads('This terminal waits for the engine of its fleet.');
    fleet.stage.reader.tap(aliceCard);
    for (const { line } of [fleet.a, fleet.b]) line.mend();
    await first.told('terminal back in service');
    expect(first.records.filter(({ msg }) => msg === 'card read')).toEqual([]);
    await released(fleet, first);
    expect(second.records.filter(({ msg }) => msg === 'terminal taken over')).toEqual([]);
  });

  it('F11: who comes back gets its terminal when nobody is at it any more', async () => {
    await using fleet = await setFleetStage(postgres);
    const { stage, a, url } = fleet;
    const { first, second } = await serving(fleet);
    const following = takeover(second);
    await first.stop();
    await following;
    stage.reader.tap(aliceCard);
    await second.told('session opened');

    const again = await a.start();
    await again.told('condition raised', ({ code }) => code === 'fleet-terminal-elsewhere');
    // It has stayed for half a minute.
    await postgres.query(`UPDATE platen.member SET beating_since = beating_since - interval '30 s'`, url);
    await untilBadgeMayBeHeldAgain();
    await untilBadgeMayBeHeldAgain();
    expect(again.records.filter(({ msg }) => msg === 'terminal taken over')).toEqual([]);
    stage.reader.tap(aliceCard);
    expect(await second.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(await second.told('terminal handed over')).toMatchObject({ why: 'preferred', to: 'gateway-a' });
    await again.told('terminal taken over');
    await again.told('condition cleared', ({ code }) => code === 'fleet-terminal-elsewhere');
    await again.told('terminal ready');
  });
});
