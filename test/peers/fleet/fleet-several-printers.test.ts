/**
 * A terminal of several printers moves between gateways: all of its printers are the new one's, what the old one had in
 * hand at one of them is settled there, and nothing comes out twice (F5, F6, F11; I1).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';
import type { Gateway } from '../../support/fleet/fleet-stage.ts';
import { reachesEngine, setFleetStage, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import { launchPage } from '../../support/agent/kiosk-page.ts';
import { watchScreen } from '../../support/agent/screen.ts';
import type { Running } from '../../support/agent/stage.ts';
import { aliceCard } from '../../support/agent/stage.ts';

/** The addresses of the printers, as another hand writes them (RFC 3986, section 6.2.2.1). */
function writtenOtherwise({ configFile }: Gateway): void {
  const text = readFileSync(configFile, 'utf8');
  writeFileSync(configFile, text.replace(/uri: ipp:/g, 'uri: IPP:'));
}

const seed = {
  ...sampleData,
  documents: ['Plan.pdf', 'Letter.pdf'].map((name) => ({ owner: 'alice', name, pages: 3 })),
};

needsPostgres()('a terminal of several printers, in a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function setRoom() {
    await using opened = new AsyncDisposableStack();
    const lobby = opened.use(await startVirtualPrinter());
    const colour = opened.use(await startVirtualPrinter());
    const printers = [
      { name: 'Lobby', uri: lobby.uri, stallSeconds: 60 },
      { name: 'Colour, A3', uri: colour.uri, stallSeconds: 60 },
    ];
    const fleet = opened.use(
      await setFleetStage(postgres, {
        cloud: { seed },
        config: { history: { unknownAfterHours: 0 } },
        terminal: { printer: undefined, printers, place: 'Entrance' },
      }),
    );
    const first = await fleet.a.start();
    await first.told('terminal ready');
    await first.told('reader up');
    writtenOtherwise(fleet.b);
    const second = await fleet.b.start();
    await reachesEngine(second);
    await second.told('terminal out of service', ({ reason }) => reason === 'elsewhere');
    await first.told('alone no more');
    const held = opened.move();

    async function front(gateway: Gateway, agent: Running) {
      const page = await launchPage(gateway, agent);
      const screen = held.use(await watchScreen(agent, page));
      const at = () => screen.views.at(-1);
      const generation = () => at()?.generation ?? 0;
      return {
        at,
        async offers(...names: readonly string[]) {
          const offered = () => at()?.documents?.filter(({ standing }) => standing === 'releasable');
          const listed = () => [
            at()?.state,
            offered()
              ?.map(({ name }) => name)
              .toSorted(),
          ];
          await expect.poll(listed).toEqual(['choosing', names]);
        },
        async prints(name: string, printer: string) {
          const documentUuids = (at()?.documents ?? []).flatMap((one) =>
            one.name === name ? [one.uuid] : [],
          );
          if (at()?.chosenPrinter !== printer) {
            expect(await page.say({ command: 'printer', printer, generation: generation() })).toBe(204);
          }
          await expect.poll(() => at()?.chosenPrinter).toBe(printer);
          expect(await page.say({ command: 'release', documentUuids, generation: generation() })).toBe(204);
        },
      };
    }

    return {
      fleet,
      lobby,
      colour,
      first,
      second,
      front,
      async takesOver() {
        await second.told('terminal taken over');
        await second.told('reader up');
        await second.told('terminal ready');
        await untilBadgeMayBeHeldAgain();
      },
      claims: () =>
        postgres.query('SELECT state, history, version FROM platen.claim ORDER BY number', fleet.url),
      passes: (time: string) =>
        postgres.query(
          `UPDATE platen.member SET until = until - interval '${time}' WHERE until < clock_timestamp()`,
          fleet.url,
        ),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  /** Alice's plan is at the second printer, which holds it; her letter still waits. */
  async function beginsAtColour({ fleet, colour, first, front }: Awaited<ReturnType<typeof setRoom>>) {
    const screen = await front(fleet.a, first);
    await colour.behave({ kind: 'hold' });
    fleet.stage.reader.tap(aliceCard);
    await screen.offers('Letter.pdf', 'Plan.pdf');
    await screen.prints('Plan.pdf', 'Colour, A3');
    await colour.waitFor(() => colour.jobs[0]?.state === 'processing');
  }

  const whole = ({ outputs }: VirtualPrinter) => outputs.filter(({ complete }) => complete).length;

  it('F6: its gateway is gone: the next one settles at the second printer what was there, and prints at both', async () => {
    await using room = await setRoom();
    const { fleet, lobby, colour, first, second } = room;
    const { cloud, reader } = fleet.stage;
    await beginsAtColour(room);
    await first.stop();
    await room.takesOver();
    await room.passes('1 minute');

    const after = await room.front(fleet.b, second);
    reader.tap(aliceCard);
    expect(await second.told('release resumed')).toMatchObject({ printer: 'Colour, A3' });
    expect(await second.told('release ended')).toMatchObject({ outcome: 'unknown' });
    expect([colour.jobs.map(({ state }) => state), lobby.jobs]).toEqual([['canceled'], []]);
    await colour.clear();
    await after.offers('Letter.pdf');
    await after.prints('Letter.pdf', 'Lobby');
    await second.told('release ended', ({ outcome }) => outcome === 'completed');
    expect([whole(lobby), whole(colour)]).toEqual([1, 0]);

    const back = await fleet.a.start();
    await back.told('claim refused', ({ code }) => code === 'claim-lost');
    await cloud.waitFor(() => cloud.state.history.length >= 2);
    await back.stop();
    expect(cloud.state.history).toHaveLength(2);
    expect([whole(lobby), whole(colour)]).toEqual([1, 0]);
  });

  it('F12: its gateway is cut from the engine, and prints on what is in its hands; at the next one it is not offered', async () => {
    await using room = await setRoom();
    const { fleet, lobby, colour, first, second } = room;
    const { cloud, reader } = fleet.stage;
    await beginsAtColour(room);
    fleet.a.line.cut();
    await room.takesOver();

    const after = await room.front(fleet.b, second);
    reader.tap(aliceCard);
    await after.offers('Letter.pdf');
    await after.prints('Letter.pdf', 'Colour, A3');
    await colour.clear();
    expect(await first.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(await second.told('release ended')).toMatchObject({ outcome: 'completed' });
    fleet.a.line.mend();
    await expect.poll(room.claims).toMatchObject([
      { state: 'printed', history: 'posted', version: 1 },
      { state: 'printed', history: 'posted', version: 1 },
    ]);
    expect([whole(lobby), whole(colour)]).toEqual([0, 2]);
    expect(cloud.state.history).toHaveLength(2);
    for (const printer of [lobby, colour]) expect(printer.deviations).toEqual([]);
  });
});
