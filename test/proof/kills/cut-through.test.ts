/** `platen run` is ended by SIGKILL while a document flows through it: what came of it is not known (I1, I2, B.1). */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { eventually } from '../../support/patience.ts';
import { startProgram } from '../../support/program.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import { prepareStage } from '../../support/agent/running-stage.ts';

const content = { method: 'GET', path: /\.content$/ };

/** Octets of documents that the printer has begun to take in. */
const arrived = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

describe('SIGKILL while a document flows to the printer and is not here whole', () => {
  it('leaves it unknown: it is not printed again, waits in the cloud, and is recorded when it is due', async () => {
    await using stage = await prepareStage({
      documentBytes: 24_000_000,
      config: { history: { unknownAfterHours: 0 } },
    });
    const { cloud, document, printer, reader, configFile } = stage;
    const startServing = async () => {
      const platen = startProgram(['run', '-c', configFile]);
      await platen.logged('terminal ready');
      await platen.logged('reader up');
      return platen;
    };
    cloud.answerNext(content, { kind: 'cut-body', afterBytes: 11_000_000 });
    cloud.answerNext(content, { kind: 'never' });
    await using first = await startServing();
    reader.tap(aliceCard);
    await cloud.waitFor(() => cloud.calls.filter(({ path }) => content.path.test(path)).length === 2);
    await printer.waitFor(() => printer.jobs[0]?.transfer === 'under-way');
    // Bytes are on their way, not the request alone.
    await eventually(() => expect(arrived(printer.outputFolder)).toBeGreaterThan(0));
    first.child.kill('SIGKILL');
    await first.exited;

    await using second = await startServing();
    expect(await second.logged('release ended')).toMatchObject({
      outcome: 'unknown',
      code: 'transfer-broken',
    });
    reader.tap(aliceCard);
    expect(await second.logged('session closed')).toMatchObject({ reason: 'released' });
    await cloud.waitFor(() => cloud.state.history.length === 1);
    expect(printer.jobs).toHaveLength(1);
    expect(printer.outputs.filter(({ complete }) => complete)).toEqual([]);
    expect(document.info.status).toBe(documentStatus.READY);
  });
});
