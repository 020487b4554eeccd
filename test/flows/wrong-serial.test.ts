/** A serial number with a mistake: told by the agent and by `platen check`, and what prints is filed all the same. */
import { expect, it } from 'vitest';
import type { Finding } from '../../src/commands/check/examination.ts';
import { attribute } from '../../src/ipp/message.ts';
import { textWithoutLanguage } from '../../src/ipp/values.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { commandHere } from '../support/command-here.ts';

const portWith = (deviceSerial: string) => {
  const outputPorts = sampleData.outputPorts
    .slice(0, 1)
    .map((port) => ({ ...port, address: '127.0.0.1', deviceSerial }));
  return { seed: { ...sampleData, outputPorts } };
};
const telling = (serial: string) => ({
  attributes: [attribute('printer-serial-number', textWithoutLanguage(serial))],
});
const mistaken = { serialNumber: 'SN-0010', session: { autoRelease: true } };

async function findingOf(configFile: string): Promise<Finding | undefined> {
  const { out } = await commandHere(['check', '-c', configFile, '--json']);
  return (JSON.parse(out) as Finding[]).find(({ what }) => what === 'serial number of lobby');
}

it('the printer itself has another one: check fails without an agent, and the agent has a condition', async () => {
  await using stage = await setStage({ terminal: mistaken, printer: telling('SN-0001') });
  expect(await findingOf(stage.configFile)).toMatchObject({
    state: 'failed',
    code: 'serial-number-wrong',
    detail: expect.stringMatching(
      /serial number is SN-0001, .* configured with SN-0010\. .*Correct serialNumber/,
    ),
  });
  await using agent = await stage.start();
  await agent.told('condition raised', ({ code }) => code === 'serial-number-wrong');
});

it.each([
  ['that has the right one', 'SN-0001', 'failed', { serialNumber: 'SN-0001', address: undefined }],
  ['that has none', '', 'ok', { serialNumber: 'SN-0010', address: '127.0.0.1' }],
])(
  'at an output port found by address %s, records are filed there; check says so',
  async (_, serial, state, key) => {
    await using stage = await setStage({ terminal: mistaken, cloud: portWith(serial) });
    await using agent = await stage.start();
    await agent.told('output port found');
    await agent.told('terminal ready');
    stage.reader.tap(aliceCard);
    await agent.told('history accepted');
    expect(stage.cloud.state.history).toMatchObject([{ ...key, outputPortId: 7 }]);
    expect((await findingOf(stage.configFile))?.state).toBe(state);
  },
);
