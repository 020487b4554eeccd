/** The printer is switched off, or its cable pulled, while it prints what a person waits for. */
import { expect, it } from 'vitest';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import { launchPage } from './kiosk-page.ts';
import { watchScreen } from './screen.ts';
import { aliceCard, setStage } from './stage.ts';

it.each<PrinterBehaviour>([{ kind: 'refuse-connections' }, { kind: 'never-answer' }])(
  'the screen says so within 3 s ($kind), and when it is back',
  async (gone) => {
    await using stage = await setStage();
    const { printer, reader } = stage;
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const page = await launchPage(stage, agent);
    await using screen = await watchScreen(agent, page);
    await printer.behave({ kind: 'hold' });
    reader.tap(aliceCard);
    await expect.poll(() => screen.views.at(-1)?.state).toBe('choosing');
    const { generation = 0, documents = [] } = screen.views.at(-1) ?? {};
    expect(documents.length).toBeGreaterThan(1);
    await page.say({ command: 'release', generation, documentUuids: documents.map(({ uuid }) => uuid) });
    const isFollowed = () => printer.requests.some(({ operation }) => operation === 'Get-Job-Attributes');
    await printer.waitFor(isFollowed);

    await printer.behave(gone);
    const since = performance.now();
    await expect.poll(() => screen.views.at(-1)?.printer?.lamp, { interval: 20 }).toBe('unreachable');
    expect(performance.now() - since).toBeLessThan(3_000);
    expect(screen.views.at(-1)?.sentence).toBe('The printer cannot be reached. Is it switched on?');
    await printer.clear();
    // A question that was asked meanwhile is waited for until its time is over.
    await expect.poll(() => screen.views.at(-1)?.printer?.lamp, { timeout: 30_000 }).not.toBe('unreachable');
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  },
);
