/**
 * Any number of reloads leads where a fresh start with the last good file leads, and leaves nothing behind
 * (INVARIANTS.md B.4, 11; D19).
 */
import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { minutes } from '../../src/core/duration.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { editConfig } from '../support/agent/config-file.ts';
import type { Running } from '../support/agent/stage.ts';
import { enter, prepareStage } from '../support/agent/running-stage.ts';
import { eventually } from '../support/patience.ts';

/** Of one terminal: where its printer and its reader are among those there are, and another key or two. */
interface Choice {
  readonly printer: number;
  readonly reader: number;
  readonly finish: 'delete' | 'keep';
  readonly isThere: boolean;
}

interface Edit {
  readonly terminals: readonly Choice[];
  readonly interval: number;
  readonly fate: 'good' | 'broken';
  /** Somebody comes to the first terminal meanwhile. */
  readonly isVisited: boolean;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  printer: fc.nat(1),
  reader: fc.nat(2),
  finish: fc.constantFrom('delete', 'keep'),
  isThere: fc.boolean(),
});
const edit: fc.Arbitrary<Edit> = fc.record({
  terminals: fc.tuple(choice, choice, choice),
  interval: fc.integer({ min: 5, max: 9 }),
  fate: fc.constantFrom('good', 'good', 'good', 'broken'),
  isVisited: fc.boolean(),
});

/** When nothing waits any more and all terminals are ready. */
async function settledStatus(agent: Running): Promise<LastingStatus> {
  return eventually(async () => {
    const status = await lastingStatus(agent);
    expect(status.config.pending).toEqual([]);
    expect(status.terminals.every(({ ready }) => ready)).toBe(true);
    return status;
  });
}

interface LastingStatus {
  readonly config: { readonly pending: readonly string[] };
  readonly terminals: readonly { readonly ready: boolean }[];
}

/** The status without what time alone makes of it. */
async function lastingStatus({ operations }: Running): Promise<LastingStatus> {
  const status = (await (await fetch(`${operations}/status`)).json()) as Record<string, unknown>;
  const { ready, config, conditions, terminals } = status;
  const times = new Set(['readAt', 'since', 'settingsSince', 'settingsRead', 'reference', 'frames', 'file']);
  const kept = (key: string, value: unknown) => (times.has(key) ? undefined : value);
  return JSON.parse(JSON.stringify({ ready, config, conditions, terminals }, kept)) as LastingStatus;
}

it('random changes, broken files and visits between them end as a fresh start with the last good file does', async () => {
  const sequences = fc.array(edit, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(sequences, async (edits) => {
      await using stage = await prepareStage();
      await using otherPrinter = await startVirtualPrinter();
      await using otherReader = await startVirtualReader({ link: join(stage.folder, 'other-reader') });
      const printers = [stage.printer.uri, otherPrinter.uri];
      const readers = [
        [{ type: 'serial', path: stage.reader.path }],
        [{ type: 'serial', path: otherReader.path }],
        [],
      ];
      const running = await enter(stage);
      const { agent, clock } = running;
      const reloads: Promise<unknown>[] = [];
      for (const { terminals, interval, fate, isVisited } of edits) {
        await editConfig(stage, (config) => {
          const taken = new Set<number>();
          config.terminals = terminals.flatMap(({ printer, reader, finish, isThere }, at) => {
            if (!isThere) return [];
            const own = taken.has(reader) ? [] : readers[reader];
            taken.add(reader);
            const id = ['lobby', 'annex', 'foyer'][at];
            return [
              {
                id,
                serialNumber: `SN-000${at + 1}`,
                printer: { uri: printers[printer] },
                readers: own,
                finish,
              },
            ];
          });
          config['status'] = { intervalSeconds: fate === 'good' ? interval : 'often' };
        });
        if (isVisited) await running.badge();
        reloads.push(agent.reload());
        // The last word is a good file.
        await reloads.at(fate === 'good' ? -1 : 0);
      }
      await editConfig(stage, (config) => (config['status'] = { intervalSeconds: 60 }));
      await agent.reload();

      const reloaded = await clock.hurry(settledStatus(agent));
      await clock.hurry(agent.stop());
      const fresh = await stage.start();
      expect(reloaded).toEqual(await clock.hurry(settledStatus(fresh)));
      await clock.hurry(fresh.stop());
    }),
    { numRuns: 1, seed: 7, endOnFailure: true },
  );
});

it('sixty reloads leave no listener, timer or descriptor behind', async () => {
  await using stage = await prepareStage();
  await using otherPrinter = await startVirtualPrinter();
  await using running = await enter(stage);
  const { agent, clock, printer, reader } = running;
  const written = async (uri: string, others: Record<string, unknown>[]) => {
    await editConfig(running, (config) => {
      const readers = [{ type: 'serial', path: reader.path }];
      config.terminals = [{ id: 'lobby', serialNumber: 'SN-0001', readers, printer: { uri } }, ...others];
    });
    return loadConfig(running.configFile, {});
  };
  const annex = { id: 'annex', serialNumber: 'SN-0002', printer: { uri: otherPrinter.uri } };
  const configs = [await written(otherPrinter.uri, [annex]), await written(printer.uri, [])];
  const reloadTwice = async () => {
    for (const config of configs) {
      const outcome = await agent.reload(() => config);
      expect(outcome).toMatchObject({ changed: ['terminals.lobby', 'terminals.annex'], pending: [] });
    }
  };
  const held = async () => {
    // Deadlines of calls that were answered long ago run out.
    await clock.hurry(clock.sleep(minutes(6)));
    await clock.hurry(settledStatus(agent));
    const kinds = ['exit', 'SIGHUP', 'uncaughtException', 'warning'] as const;
    return {
      descriptors: readdirSync('/proc/self/fd').length,
      resources: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length,
      timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
      listeners: kinds.map((kind) => process.listenerCount(kind)),
    };
  };
  for (let at = 0; at < 3; at += 1) await reloadTwice();
  const before = await held();
  for (let at = 0; at < 30; at += 1) await reloadTwice();
  const after = await held();
  expect(after.listeners).toEqual(before.listeners);
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 4);
  // Files that ran before in the same process have some of their own.
  expect(after.timers).toBeLessThanOrEqual(before.timers + 10);
  expect(after.resources).toBeLessThanOrEqual(before.resources + 4);
});
