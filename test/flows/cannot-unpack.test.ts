/** A printer lists gzip, and ends a job whose packed document it cannot read: the document goes out plain, by itself. */
import { expect, it } from 'vitest';
import { attribute } from '../../src/ipp/message.ts';
import { mimeMediaType } from '../../src/ipp/values.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const takes = attribute(
  'document-format-supported',
  ...['application/pdf', 'application/postscript'].map(mimeMediaType),
);
const postscript = Buffer.alloc(300_000, '%!PS\n(Hello) show\n10 20 moveto\n');

it('the person waits a moment longer, and the history has the document once', async () => {
  await using stage = await setStage({ printer: { habits: ['cannot-unpack=aborts'], attributes: [takes] } });
  const { cloud, printer, reader } = stage;
  cloud.state.documents = cloud.state.documents.filter(({ owner }) => owner !== 'alice');
  const { info } = cloud.addDocument({ owner: 'alice', name: 'Letter.ps', pages: 1, bytes: postscript });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  const page = await launchPage(stage, agent);
  await using screen = await watchScreen(agent, page);
  reader.tap(aliceCard);
  const { generation } = await screen.shows(({ state }) => state === 'choosing');
  await page.say({ command: 'release', generation, documentUuids: [info.uuid] });
  const { releaseId } = await agent.told('release sent plain');
  await screen.showed('All done. Please take your pages.');
  await agent.told('history accepted', (record) => record['releaseId'] === releaseId);
  expect(cloud.state.history.map(({ title }) => title)).toEqual(['Letter.ps']);
  expect(printer.outputs).toMatchObject([{ complete: true }]);
  expect(printer.jobs.map(({ state }) => state)).toEqual(['aborted', 'completed']);
});
