/**
 * An account of 50,000 output ports (F14): `GET /outputports` has no pages, and the gateway wants two of them. Its list is
 * read as it comes in, so that memory does not grow with the account.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { startAgentProcess } from '../support/agent/agent-process.ts';
import { forgetPeak, memoryOf } from '../support/process-memory.ts';
import { setStage } from '../support/agent/stage.ts';

const count = 50_000;
const megabyte = 1024 * 1024;

it('finds its own of 50,000 output ports in less than 32 MB above idle', async () => {
  await using stage = await setStage();
  await using agent = startAgentProcess(stage.configFile);
  await agent.told('terminal ready', 'output port found', 'status reported');
  const idle = memoryOf(agent.pid).resident;

  const [model] = sampleData.outputPorts;
  if (!model) throw new Error('the sample data has no output port');
  const longNames = { description: 'An output port with all that a large account says of one. '.repeat(12) };
  stage.cloud.state.outputPorts.push(
    ...Array.from({ length: count }, (_, index) => {
      const port = { ...model, ...longNames, id: 1000 + index, name: `Port ${index}` };
      return { ...port, address: '10.1.2.3', deviceSerial: `LARGE-${index}` };
    }),
  );
  const config = parse(await readFile(stage.configFile, 'utf8'));
  const [terminal] = config.terminals;
  config.terminals.push({
    id: 'last',
    serialNumber: `LARGE-${count - 1}`,
    printer: terminal.printer,
  });
  await writeFile(stage.configFile, stringify(config));
  forgetPeak(agent.pid);
  process.kill(agent.pid, 'SIGHUP');
  await agent.told('output port found');
  const above = (memoryOf(agent.pid).peak - idle) / megabyte;
  process.stdout.write(
    `of ${count} output ports, ${Math.round(JSON.stringify(stage.cloud.state.outputPorts).length / megabyte)} MB: ` +
      `peak ${above.toFixed(1)} MB above idle\n`,
  );
  expect(above).toBeLessThan(32);
});
