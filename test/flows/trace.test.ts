/** The administrator's story after a print that was slow, and after a history record that the service would not take. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FoundRelease } from '../../src/domain/ports/ledger.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { commandHere } from '../support/command-here.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { eventually } from '../support/patience.ts';

const history = { method: 'POST', path: '/documents/history' };

it('a release tells where its time went by its code, and a dead letter goes back in line to be accepted', async () => {
  await using stage = await setStage({
    terminal: { session: { autoRelease: true } },
    printer: { pageTime: milliseconds(100) },
  });
  stage.cloud.answerNext(history, { kind: 'status', status: 400 });
  stage.cloud.always({ method: 'GET', path: /\.content$/ }, { kind: 'slow-headers', wait: seconds(0.6) });
  await using agent = await stage.start();
  const platen = (...args: string[]) => commandHere([...args, '-c', stage.configFile]);
  await agent.told('terminal ready');
  stage.reader.tap(aliceCard);
  const { releaseId } = await agent.told('release ended', ({ outcome }) => outcome === 'completed');
  const id = String(releaseId);
  await agent.told('history rejected');

  const list = await platen('outbox', 'list');
  expect([list.code, list.out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${id.slice(0, 8)}  lobby .*dead letter  cloud-rejected`, 'm')),
  ]);
  expect(list.out).not.toMatch(/\.pdf|alice/);

  const file = join(stage.folder, 'records.csv');
  expect(await platen('outbox', 'export', file)).toMatchObject({
    code: 0,
    out: expect.stringContaining('including 1 dead letter'),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toMatch(new RegExp(`\r\n${id},lobby,dead-letter,.*alice`));
  expect(await platen('outbox', 'export', file)).toMatchObject({ code: 1 });

  expect(await platen('outbox', 'retry', id.slice(0, 8))).toEqual({
    code: 0,
    error: '',
    out: '1 dead letter will be sent again.',
  });
  await agent.told('history accepted', (record) => record['releaseId'] === id);
  // It is told before it is on the disk.
  await eventually(async () =>
    expect(await platen('outbox', 'list')).toMatchObject({ out: 'no record waits' }),
  );
  expect(await platen('outbox', 'retry', id.slice(0, 8))).toMatchObject({ code: 1 });

  const rows = (await platen('releases', 'list', '--since', '3600s')).out.split('\n');
  expect(rows.filter((line) => line.length > 80)).toEqual([]);
  expect(rows[0]).toMatch(/^RELEASE +STARTED +TOOK +OUTCOME +TERMINAL +PROBLEM$/);
  expect(rows.find((row) => row.startsWith(id.slice(0, 8)))).toMatch(
    new RegExp(
      `^${id.slice(0, 8)}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  \\d[^ ]* \\w+ +completed +lobby +-$`,
    ),
  );
  const code = `[${id.slice(0, 4)}-${id.slice(4, 8)}]`.toUpperCase();
  const shown = await platen('releases', 'show', code);
  for (const row of ['badge read', 'login', 'list', 'balance', 'download', 'first byte', 'sent', 'printed'])
    expect(shown.out).toMatch(new RegExp(`^${row} +\\d`, 'm'));
  expect(shown.out).toMatch(/^recorded in history .*\(afterwards\)$/m);
  expect(shown.out).toMatch(/^download .*#  the longest$/m);
  expect(shown.out).toMatch(/^\d.* from the badge to the paper/m);

  const { out } = await platen('releases', 'show', id, '--json');
  const { trace, row } = JSON.parse(out) as FoundRelease;
  expect(row.tookMs).toBeGreaterThan(600);
  expect(trace?.steps.find((step) => step.stage === 'download')?.took).toBeGreaterThan(599);
  expect(JSON.stringify(trace)).not.toMatch(/pdf|alice/i);

  const others = await platen('releases', 'list', '--outcome', 'unknown', '--since', '1h', '--json');
  expect(JSON.parse(others.out)).toEqual([]);
  expect(await platen('releases', 'list', '--since', 'lately')).toMatchObject({ code: 64 });
});
