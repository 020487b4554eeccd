/**
 * A process that uses a store as hard as it can until it is killed: `busy-writer.ts STATE-DIR FIRST-RELEASE`. It says
 * a line for everything that was durable by then. When the store says no it says the problem and exits 70.
 */
import { writeSync } from 'node:fs';
import { hours } from '../../src/core/duration.ts';
import { isProblem } from '../../src/domain/problem/problem.ts';
import { endState } from '../../src/store/columns.ts';
import { grant, registration } from '../contracts/device-store.ts';
import { attempt, job, printerUri, releaseId } from '../support/store/release-samples.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';

const [stateDir = '', firstRelease = '1'] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);

try {
  await using store = await openSteadyStore(stateDir, {
    onFatal: ({ code }) => say(`fatal ${code}`),
  });
  const { device, ledger } = store;
  if (!device.facts().registered) device.saveRegistration(registration);
  say('open');
  for (let number = Number(firstRelease); ; number++) {
    const id = releaseId(number);
    const step = async (state: string, record: () => void): Promise<void> => {
      record();
      await ledger.durable();
      say(`release ${number} ${state}`);
    };
    await step('PLANNED', () => ledger.plan(attempt({ release: number })));
    // Durable with the next one.
    ledger.fetched(id, { length: 1, digest: '00' });
    await step('INTENT', () => ledger.intend(id, printerUri));
    await step('JOB', () => ledger.jobCreated(id, job));
    await step('SENT', () => ledger.sent(id));
    const state = endState.options[number % endState.options.length] ?? 'UNKNOWN';
    await step(state, () => ledger.end(id, { state, deletionOwed: false, holdFor: hours(1) }));

    const generation = device.facts().tokens?.generation;
    if (generation !== undefined) device.markRefreshing(generation);
    device.saveTokens(grant((generation ?? 0) + 1));
    say(`tokens ${(generation ?? 0) + 1}`);
  }
} catch (error) {
  say(`problem ${isProblem(error) ? error.code : String(error)}`);
  process.exitCode = 70;
}
