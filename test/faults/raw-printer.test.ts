/**
 * A raw printer that fails at every place of a document. From the first byte on nothing is certain until it has taken
 * them all and closed (INVARIANTS.md B.1, rows "raw 9100"; contract, section 3).
 */
import { describe, expect, it } from 'vitest';
import type { SocketPrinterBehaviour } from '../../src/simulator/printer/raw/socket-printer.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { RawStageOptions } from '../support/agent/raw-stage.ts';
import {
  enterRaw,
  expectHandedOver,
  expectLeftAlone,
  prepareRawStage,
  setRunningRawStage,
} from '../support/agent/raw-stage.ts';

/** More than the buffers of a connection hold. */
const large = 16_000_000;
const everything = Number.POSITIVE_INFINITY;

interface Row {
  readonly what: string;
  readonly behaviour: SocketPrinterBehaviour;
  readonly code: 'transfer-broken' | 'ended-by-reset' | 'printer-stalled';
  readonly options?: RawStageOptions;
}

const rows: readonly Row[] = [
  {
    what: 'it resets the connection after 1 octet',
    behaviour: { kind: 'reset', afterBytes: 1 },
    code: 'transfer-broken',
  },
  {
    what: 'it resets the connection after 4 KiB',
    behaviour: { kind: 'reset', afterBytes: 4096 },
    code: 'transfer-broken',
    options: { documentBytes: large },
  },
  {
    what: 'it resets the connection when it has everything',
    behaviour: { kind: 'reset', afterBytes: everything },
    code: 'ended-by-reset',
  },
  {
    what: 'it stops reading in the middle',
    behaviour: { kind: 'stop-reading', afterBytes: 100_000 },
    code: 'printer-stalled',
    options: { documentBytes: large },
  },
  {
    what: 'it reads nothing at all of what the kernel has taken',
    behaviour: { kind: 'stop-reading', afterBytes: 1 },
    code: 'printer-stalled',
  },
  {
    what: 'it takes everything and never closes',
    behaviour: { kind: 'stop-reading', afterBytes: everything },
    code: 'printer-stalled',
  },
];

describe('a raw release that broke off is unknown, and never printed again by a badge (I1, I2, I7)', () => {
  it.each(rows)('$what: $code', async ({ behaviour, code, options }) => {
    await using running = await setRunningRawStage(options);
    const { raw } = running;
    await raw.behave(behaviour);
    expect(await running.release()).toMatchObject({ level: 'warn', outcome: 'unknown', code });
    await raw.clear();
    await expectLeftAlone(running);
  });

  it('the printer resets the connection when all but one octet are there', async () => {
    await using running = await setRunningRawStage({ pjl: 'off' });
    const { document, raw } = running;
    await raw.behave({ kind: 'reset', afterBytes: document.bytes.length - 1 });
    expect(await running.release()).toMatchObject({ outcome: 'unknown', code: 'transfer-broken' });
    await raw.clear();
    await expectLeftAlone(running);
  });

  it('where every print has to be confirmed, none of a raw printer is', async () => {
    await using running = await setRunningRawStage({ requireConfirmation: true });
    expect(await running.release()).toMatchObject({ outcome: 'unknown', code: 'print-unconfirmed' });
    await expectLeftAlone(running);
  });

  it('the agent ends in the middle of the document: the restart asks nobody', async () => {
    await using stage = await prepareRawStage({ documentBytes: large, stallSeconds: 60 });
    const { clock, raw } = stage;
    const before = await enterRaw(stage);
    await raw.behave({ kind: 'stop-reading', afterBytes: 100_000 });
    await before.badge();
    await raw.waitFor(() => raw.octets() >= 100_000);
    await clock.hurry(before.agent.stop());
    await raw.clear();
    await using after = await enterRaw(stage);
    expect(await after.agent.told('release resumed')).toMatchObject({ state: 'INTENT' });
    expect(await after.agent.told('release ended')).toMatchObject({
      outcome: 'unknown',
      code: 'outcome-unknown',
    });
    await expectLeftAlone(after);
  });
});

describe('a raw printer that ends untidily, and has taken every byte (contract, section 3)', () => {
  it('as one that ends its half in the middle and reads on', async () => {
    await using running = await setRunningRawStage({ documentBytes: large });
    await running.raw.behave({ kind: 'close', afterBytes: 4096 });
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    await expectHandedOver(running);
  });

  it('as one that always resets, where an administrator has said that this is its end', async () => {
    await using running = await setRunningRawStage({ resetIsEnd: true });
    await running.raw.behave({ kind: 'reset', afterBytes: everything });
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
  });

  it('and where every print has to be confirmed, that is no confirmation', async () => {
    await using running = await setRunningRawStage({ resetIsEnd: true, requireConfirmation: true });
    await running.raw.behave({ kind: 'reset', afterBytes: everything });
    expect(await running.release()).toMatchObject({ outcome: 'unknown', code: 'print-unconfirmed' });
  });
});

describe('a raw printer that took not one byte leaves the document waiting (I1)', () => {
  it('as one that refuses connections for longer than anybody waits', async () => {
    await using running = await setRunningRawStage();
    const { cloud, document, raw } = running;
    await raw.behave({ kind: 'refuse-connections' });
    expect(await running.release()).toMatchObject({ outcome: 'failed', code: 'printer-unreachable' });
    expect([raw.outputs, cloud.state.history]).toEqual([[], []]);
    expect(document.info.status).toBe(documentStatus.READY);
    await raw.clear();
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    await expectHandedOver(running);
  });

  it('as one that resets every connection at once, whether or not a byte went out before we saw it', async () => {
    await using running = await setRunningRawStage();
    const { cloud, document, raw } = running;
    await raw.behave({ kind: 'reset', afterBytes: 0 });
    expect(await running.release()).toMatchObject({
      outcome: expect.stringMatching(/^(failed|unknown)$/) as string,
    });
    expect([raw.outputs, cloud.state.history]).toEqual([[], []]);
    expect(document.info.status).toBe(documentStatus.READY);
  });

  it('and one that serves somebody else, and refuses, is waited for (B.4, 7)', async () => {
    await using running = await setRunningRawStage({ raw: { whenTaken: 'refuse' } });
    const { agent, clock, raw } = running;
    await raw.behave({ kind: 'refuse-connections' });
    await running.badge();
    await agent.told('release started');
    await raw.clear();
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await expectHandedOver(running);
  });
});
