/** A gateway breaks and another machine takes its place: the identity moves with the state directory. */
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const registrations = ({ cloud }: Stage) =>
  cloud.calls.filter(({ path }) => path === '/oauth/v1/register').length;

it('the state on a new machine is the same terminal: nobody approves anything, and what was owed is told', async () => {
  await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
  const { cloud, configFile, folder, reader } = stage;
  cloud.always({ path: '/documents/history' }, { kind: 'status', status: 503 });
  await using old = await stage.start();
  await old.told('terminal ready');
  await old.told('reader up');
  reader.tap(aliceCard);
  await old.told('session closed');
  await old.stop();
  expect(cloud.state.history).toEqual([]);

  const moved = join(folder, 'another-disk');
  await rename(join(folder, 'state'), moved);
  const config = await readFile(configFile, 'utf8');
  await writeFile(configFile, config.replace(/^stateDir: .*$/m, `stateDir: ${moved}`));
  cloud.behaveWell();
  const before = registrations(stage);
  await using young = await stage.start();
  await young.told('terminal ready');
  await cloud.waitFor(() => cloud.state.history.length === 2);
  expect(registrations(stage)).toBe(before);
  expect(cloud.state.endpoints).toHaveLength(1);
  expect(stage.printer.outputs).toHaveLength(2);
});

it('an archive from before the last token refresh registers again, as the same endpoint (B.2 step 9)', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock });
  const [state, archive] = [join(stage.folder, 'state'), join(stage.folder, 'archive')];
  await using first = await stage.start();
  await first.told('terminal ready');
  await first.stop();
  await cp(state, archive, { recursive: true });

  await using second = await stage.start();
  await second.told('terminal ready');
  clock.forward(minutes(40));
  await second.told('device token refreshed');
  await second.stop();

  await rm(state, { recursive: true });
  await rename(archive, state);
  await using restored = await stage.start();
  clock.forward(minutes(40));
  expect(await restored.told('device registered')).toMatchObject({ registration: 'repeated' });
  await restored.told('device authorized');
  expect(stage.cloud.state.endpoints).toHaveLength(1);
});
