/** `platen run` is ended by SIGKILL and started again: no page comes twice, and no record is lost (I1, I2, B.1). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../../src/core/duration.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import type { Program } from '../../support/program.ts';
import { startProgram } from '../../support/program.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import type { PreparedStage } from '../../support/agent/running-stage.ts';
import { prepareStage } from '../../support/agent/running-stage.ts';

async function startServing({ configFile }: PreparedStage): Promise<Program> {
  const platen = startProgram(['run', '-c', configFile]);
  await platen.logged('terminal ready');
  await platen.logged('reader up');
  return platen;
}

async function kill({ child, exited }: Program) {
  child.kill('SIGKILL');
  await exited;
}

const called = ({ cloud }: PreparedStage, method: string, path: RegExp) =>
  cloud.waitFor(() => cloud.calls.some((call) => call.method === method && path.test(call.path)));

const asked = ({ requests }: PreparedStage['printer'], wanted: string) =>
  requests.filter(({ operation }) => operation === wanted).length;

const content = { method: 'GET', path: /\.content$/ };
const history = { method: 'POST', path: /\/documents\/history$/ };
const deletion = { method: 'DELETE', path: /./ };

interface Moment {
  readonly when: string;
  /** Holds the release up at that moment. */
  arrange(stage: PreparedStage): void | Promise<void>;
  /** Resolves when it is there. */
  reached(stage: PreparedStage): Promise<void>;
  /** What the restart makes of the release; `settled`: the ledger has its end already. */
  readonly restart: 'completed' | 'failed' | 'settled';
}

const moments: readonly Moment[] = [
  {
    when: 'in the download',
    arrange: ({ cloud }) => void cloud.always(content, { kind: 'never' }),
    reached: (stage) => called(stage, 'GET', content.path),
    restart: 'failed',
  },
  {
    when: 'when it has asked for a job and has no answer',
    arrange: ({ printer }) => printer.behave({ kind: 'never-answer', to: 'Create-Job' }),
    reached: ({ printer }) => printer.waitFor(() => asked(printer, 'Create-Job') > 0),
    restart: 'failed',
  },
  {
    when: 'while the printer has everything and prints',
    arrange: ({ printer }) => printer.behave({ kind: 'hold' }),
    // Asked a second time after a while, it surely knows that the printer has everything.
    reached: ({ printer }) => printer.waitFor(() => asked(printer, 'Get-Job-Attributes') > 1),
    restart: 'completed',
  },
  {
    when: 'when the page is out and the cloud does not take the history',
    arrange: ({ cloud }) => void cloud.always(history, { kind: 'never' }),
    reached: (stage) => called(stage, 'POST', history.path),
    restart: 'settled',
  },
  {
    when: 'when the cloud has the history and the agent does not know it',
    arrange: ({ cloud }) => void cloud.always(history, { kind: 'slow-headers', wait: seconds(60) }),
    reached: (stage) => called(stage, 'POST', history.path),
    restart: 'settled',
  },
  {
    when: 'when the page is out and the cloud does not take the deletion',
    arrange: ({ cloud }) => void cloud.always(deletion, { kind: 'never' }),
    reached: (stage) => called(stage, 'DELETE', deletion.path),
    restart: 'settled',
  },
];

describe('SIGKILL', () => {
  it.each(moments)(
    '$when: one page, a record, and the document is gone after the next badge',
    async (moment) => {
      await using stage = await prepareStage();
      const { cloud, document, printer, reader } = stage;
      await moment.arrange(stage);
      await using first = await startServing(stage);
      reader.tap(aliceCard);
      await moment.reached(stage);
      await kill(first);
      cloud.behaveWell();
      await printer.clear();

      await using second = await startServing(stage);
      const ended = moment.restart === 'settled' ? undefined : await second.logged('release ended');
      expect(ended?.['outcome'] ?? 'settled').toBe(moment.restart);
      reader.tap(aliceCard);
      expect(await second.logged('session closed')).toMatchObject({ reason: 'released' });
      await cloud.waitFor(
        () => cloud.state.history.length > 0 && document.info.status === documentStatus.DELETED,
      );
      expect(cloud.state.history).toHaveLength(1);
      expect(printer.outputs.map(({ sha256, complete }) => ({ sha256, complete }))).toEqual([
        { sha256: createHash('sha256').update(document.bytes).digest('hex'), complete: true },
      ]);
      expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
    },
  );

  it('in the middle of the document: what came of it is not known, and it is left alone', async () => {
    await using stage = await prepareStage({
      documentBytes: 16_000_000,
      config: { history: { unknownAfterHours: 0 } },
    });
    const { cloud, document, printer, reader } = stage;
    await printer.behave({ kind: 'stop-reading', afterBytes: 100_000 });
    await using first = await startServing(stage);
    reader.tap(aliceCard);
    await printer.waitFor(() => printer.jobs[0]?.transfer === 'under-way');
    await kill(first);
    await printer.clear();

    await using second = await startServing(stage);
    expect(await second.logged('release ended')).toMatchObject({
      outcome: 'unknown',
      code: 'transfer-broken',
    });
    reader.tap(aliceCard);
    expect(await second.logged('session closed')).toMatchObject({ reason: 'released' });
    await cloud.waitFor(() => cloud.state.history.length === 1);
    expect(printer.jobs).toHaveLength(1);
    expect(printer.outputs.length).toBeLessThanOrEqual(1);
    expect(document.info.status).toBe(documentStatus.READY);
  });

  it('twice in the download of the same document: it is left alone, and told of (E, Restart)', async () => {
    await using stage = await prepareStage();
    const { cloud, document, printer, reader } = stage;
    cloud.always(content, { kind: 'never' });
    for (const time of [1, 2]) {
      await using platen = await startServing(stage);
      reader.tap(aliceCard);
      await cloud.waitFor(() => cloud.calls.filter(({ path }) => content.path.test(path)).length === time);
      await kill(platen);
      cloud.forgiveReuse();
    }
    cloud.behaveWell();

    await using platen = await startServing(stage);
    expect(await platen.logged('condition raised')).toMatchObject({ code: 'document-set-aside' });
    expect(await platen.logged('release ended')).toMatchObject({ outcome: 'failed' });
    const another = cloud.addDocument({ owner: 'alice', name: 'Another.pdf' });
    reader.tap(aliceCard);
    expect(await platen.logged('session closed')).toMatchObject({ reason: 'released' });
    await cloud.waitFor(() => another.info.status === documentStatus.DELETED);
    expect(printer.outputs).toHaveLength(1);
    expect(document.info.status).toBe(documentStatus.READY);
  });

  it('at any moment, again and again: no document comes out twice, and each page has its record', async () => {
    await using stage = await prepareStage({ config: { history: { unknownAfterHours: 0 } } });
    const { cloud, printer, reader } = stage;
    for (const wait of [0, 15, 40, 100]) {
      cloud.addDocument({ owner: 'alice', name: `After ${wait} ms.pdf` });
      await using platen = await startServing(stage);
      reader.tap(aliceCard);
      await platen.logged('card read');
      // The moment is the point: the kill falls wherever the agent has come.
      await systemClock.sleep(milliseconds(wait));
      await kill(platen);
      cloud.forgiveReuse();
    }
    await using platen = await startServing(stage);
    await printer.waitFor(() => printer.jobs.every(({ state }) => !state.startsWith('p')));
    reader.tap(aliceCard);
    await platen.logged('session closed');
    const printed = printer.outputs.map(({ jobName }) => jobName.replace(/ \[.*/, ''));
    expect(new Set(printed).size).toBe(printed.length);
    await cloud.waitFor(() =>
      printed.every((name) => cloud.state.history.some(({ title }) => title === name)),
    );
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  });
});
