/** The printer cannot do all that a document asks for: it is printed without, and the person reads to look at the pages. */
import { expect, it } from 'vitest';
import { watchScreen } from '../support/agent/screen.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

it.each(['refuses-wishes=sides', 'ignores-wishes=sides'] as const)(
  'is said on the screen where a printer %s, and the log names what was left out',
  async (habit) => {
    await using stage = await setStage({ printer: { habits: [habit] } });
    const { cloud, printer, reader } = stage;
    cloud.state.documents = cloud.state.documents.filter(({ owner }) => owner !== 'alice');
    const letter = { owner: 'alice', name: 'Letter.pdf', pages: 2, info: { duplex: 1 } };
    const { info } = cloud.addDocument(letter);
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const page = await launchPage(stage, agent);
    await using screen = await watchScreen(agent, page);
    reader.tap(aliceCard);
    const { generation } = await screen.shows(({ state }) => state === 'choosing');
    await page.say({ command: 'release', generation, documentUuids: [info.uuid] });
    await screen.showed('The printer cannot do everything that was asked for. Please look at your pages.');
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(await agent.told('printer ignores job attributes')).toMatchObject({ attributes: ['sides'] });
    expect(printer.jobs.map(({ template }) => template.map(({ name }) => name))).toEqual([
      expect.not.arrayContaining(['sides']),
    ]);
    expect(printer.outputs).toMatchObject([{ complete: true }]);
  },
);
