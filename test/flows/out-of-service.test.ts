/** What somebody sees who stands before a terminal that cannot serve, and what the one who is called finds. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { statusCommand } from '../../src/commands/status/status.ts';
import { minutes } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { forwardClock } from '../support/forward-clock.ts';
import type { Screen } from '../support/agent/screen.ts';
import { passBy } from '../support/agent/screen.ts';
import type { Stage } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

/** Resolves when the last view holds this; waits up to 10 s. */
async function shows({ views }: Screen, fields: Partial<TerminalView>): Promise<void> {
  await expect.poll(() => views.at(-1)).toMatchObject(fields);
}

/** `platen status --terminal lobby`, of the agent that runs. */
async function status({ configFile: file }: Stage): Promise<string> {
  const lines: string[] = [];
  const io = { out: (text: string) => lines.push(text), error: (text: string) => lines.push(text) };
  await statusCommand(
    { config: file, terminal: 'lobby' },
    { ...io, env: {}, clock: systemClock, stop: new AbortController().signal },
  );
  return lines.join('\n');
}

it('a terminal that waits for approval shows its user code and a reference that the log knows', async () => {
  await using stage = await setStage({ cloud: { approval: 'by-hand', userCodes: 'given' } });
  await using agent = await stage.start();
  await using screen = await passBy(agent);
  await shows(screen, { outage: expect.objectContaining({ reason: 'not-approved', userCode: 'WDJB-MJHT' }) });
  const { reference = '' } = screen.views.at(-1)?.outage ?? {};

  const found = agent.records.filter((record) => JSON.stringify(record).includes(reference));
  expect(found.map(({ msg, level, reason }) => [msg, level, reason])).toEqual([
    ['terminal out of service', 'info', 'starting'],
    ['terminal out of service', 'warn', 'not-approved'],
  ]);
  expect(found.at(-1)).toMatchObject({ terminal: 'lobby', reference, code: 'terminal-not-authorized' });
  expect((await status(stage)).replace(/\s+/g, ' ')).toContain(
    `lobby is out of service: an administrator must approve it, user code WDJB-MJHT, reference ${reference} in the log`,
  );

  stage.cloud.approve();
  expect(await agent.told('terminal back in service')).toMatchObject({ terminal: 'lobby', reference });
  await shows(screen, { state: 'prompting' });
  expect(screen.views.at(-1)).not.toHaveProperty('outage');
  expect(await status(stage)).not.toContain('out of service');
  // One outage, one reference, one code to scan.
  const outages = screen.views.flatMap(({ outage }) => outage ?? []);
  expect(new Set(outages.map((outage) => outage.reference)).size).toBe(1);
  expect(new Set(outages.map(({ qr }) => qr.path)).size).toBe(1);
  const deviceCode = stage.cloud.state.deviceCodes[0]?.code ?? 'none';
  const said = JSON.stringify([screen.views, agent.records]);
  expect([said.includes(deviceCode), JSON.stringify(agent.records).includes('WDJB')]).toEqual([false, false]);
  expect(stage.cloud.deviations).toEqual([]);
});

it('a terminal that is switched off in the service says so, and comes back when it is on again', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock });
  const { state } = stage.cloud;
  const setActive = (active: boolean) => {
    state.outputPorts = state.outputPorts.map((port) => (port.id === 7 ? { ...port, active } : port));
  };
  await using agent = await stage.start();
  await agent.told('terminal back in service');
  await using screen = await passBy(agent);
  setActive(false);
  clock.forward(minutes(70));
  const out = agent.told('terminal out of service', ({ reason }) => reason === 'switched-off');
  expect(await clock.hurry(out)).toMatchObject({ level: 'warn', code: 'terminal-disabled' });
  await shows(screen, { outage: expect.objectContaining({ reason: 'switched-off' }) });
  setActive(true);
  clock.forward(minutes(70));
  const { reference } = await clock.hurry(agent.told('terminal back in service'));
  expect(reference).toBe((await out)['reference']);
});

it('a printer without paper is seen at the terminal before anybody sends a document', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock });
  const { printer } = stage;
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await using screen = await passBy(agent);
  await shows(screen, { printer: { lamp: 'ready' } });

  await printer.behave({ kind: 'stopped', reason: 'media-empty-error' });
  clock.forward(minutes(2));
  await shows(screen, { printer: { lamp: 'needs-attention', needs: 'paper' } });
  const before = screen.views.length;
  const looks = () =>
    printer.requests.filter(({ operation }) => operation === 'Get-Printer-Attributes').length;
  const seen = looks();
  await clock.hurry(printer.waitFor(() => looks() > seen + 2));
  // Nothing new to say, no frame.
  expect(screen.views.length).toBe(before);

  await printer.clear();
  await clock.hurry(shows(screen, { printer: { lamp: 'ready' } }));
  expect(printer.deviations).toEqual([]);
});
