/** `platen run` is ended by SIGKILL at a raw printer and started again: no page comes twice (I1, I2, B.1). */
import { describe, expect, it } from 'vitest';
import type { SocketPrinterBehaviour } from '../../../src/simulator/printer/raw/socket-printer.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import type { Program } from '../../support/program.ts';
import { startProgram } from '../../support/program.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import type { RawStage } from '../../support/agent/raw-stage.ts';
import { prepareRawStage } from '../../support/agent/raw-stage.ts';

async function startServing({ configFile }: RawStage): Promise<Program> {
  const platen = startProgram(['run', '-c', configFile]);
  await platen.logged('terminal ready');
  await platen.logged('reader up');
  return platen;
}

const moments: readonly [string, SocketPrinterBehaviour, number][] = [
  ['when it has given the first octets', { kind: 'stop-reading', afterBytes: 1 }, 1],
  ['in the middle of the document', { kind: 'stop-reading', afterBytes: 100_000 }, 100_000],
  ['when all is given, and no close has come', { kind: 'stop-reading', afterBytes: Infinity }, 16_000_000],
];

describe('a raw release whose agent is killed is unknown, and never printed again by itself', () => {
  it.each(moments)('%s', async (_when, behaviour, octets) => {
    await using stage = await prepareRawStage({ documentBytes: 16_000_000 });
    const { cloud, document, raw, reader } = stage;
    await raw.behave(behaviour);
    const before = await startServing(stage);
    reader.tap(aliceCard);
    await raw.waitFor(() => raw.octets() >= octets);
    before.child.kill('SIGKILL');
    await before.exited;
    await raw.clear();
    await raw.waitFor(() => raw.received.length + raw.inquiries() === raw.connections());

    await using after = await startServing(stage);
    expect(await after.logged('release resumed')).toMatchObject({ state: 'INTENT' });
    expect(await after.logged('release ended')).toMatchObject({ outcome: 'unknown' });
    reader.tap(aliceCard);
    await after.logged('session closed');
    expect(raw.received.filter(({ length }) => length > 0)).toHaveLength(1);
    expect(raw.outputs.length).toBeLessThanOrEqual(1);
    expect(document.info.status).toBe(documentStatus.READY);
    expect(cloud.state.history).toEqual([]);
  });
});
