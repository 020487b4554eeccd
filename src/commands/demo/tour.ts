/**
 * `platen demo --tour`: other events at a terminal, step by step, on its page and in words. A step counts only when it
 * was seen: on the page as a passer-by sees it, in the log, at the printer, and in the service.
 */
import { realpath } from 'node:fs/promises';
import { systemClock } from '../../core/clock.ts';

import { longest, milliseconds, seconds } from '../../core/duration.ts';
import { aborted } from '../../core/service.ts';
import { sampleData } from '../../simulator/sample/sample-data.ts';
import { passBy } from '../../simulator/passer-by.ts';
import { startVirtualReader } from '../../simulator/reader/reader.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { setDemoStage } from './stage.ts';
import type { TourStep } from './tour-steps.ts';
import { pins, stepLimit, tourSteps } from './tour-steps.ts';

export async function showTour(
  { listen, pace }: { readonly listen: string; readonly pace: number },
  io: Io,
): Promise<number> {
  const users = sampleData.users.map((one) => ({ ...one, pin: pins[one.userName] ?? one.shortId }));
  // People type at the prompt of the terminal, so that the page stays with the person who watches.
  await using keyboard = await startVirtualReader({});
  await using stage = await setDemoStage(
    {
      listen,
      cloud: { seed: { ...sampleData, users } },
      // A page that is printed in a moment could not be seen.
      printer: { pageTime: longest(milliseconds(20), seconds(pace / 4)) },
      terminal: { prompt: await realpath(keyboard.path), login: { cardPin: 'on' } },
    },
    io,
  );
  const { narrator, say, running } = stage;
  await using passerBy = passBy(stage.page);
  const end = new AbortController();
  const over = AbortSignal.any([io.stop, end.signal]);
  running.then(
    () => end.abort(),
    () => end.abort(),
  );
  await Promise.race([narrator.recordOf('terminal ready'), aborted(over)]);
  const { address } = await stage.launchAddress();
  say(`Open this page to watch: ${address}`);

  const steps = tourSteps({ stage, keyboard, passerBy });
  const unseen = await walkTour(steps, {
    say,
    look: () => systemClock.sleep(seconds(pace), { signal: over }).catch(() => undefined),
    limit: () => systemClock.deadline(stepLimit, over),
  });
  if (io.stop.aborted) return failed(io, 'The tour was stopped.');
  if (unseen) return failed(io, `The tour did not see this: ${unseen.says}`);
  const deviations = [...stage.cloud.deviations, ...stage.printer.deviations];
  for (const deviation of deviations) say(`deviation: ${deviation}`);
  if (deviations.length > 0) return failed(io, 'A program broke the protocol.');
  say(`The tour is over. All ${steps.length} steps were seen.`);
  return exitCode.ok;
}

export interface Guide {
  say(sentence: string): void;
  /** Time for the person to look. */
  look(): Promise<void>;
  /** Aborts when the time for a step is over. */
  limit(): AbortSignal;
}

/** Ends with the first step that was not seen, and returns it. */
export async function walkTour(steps: readonly TourStep[], guide: Guide): Promise<TourStep | undefined> {
  await guide.look();
  for (const [index, step] of steps.entries()) {
    guide.say(`Step ${index + 1} of ${steps.length}: ${step.says}`);
    const limit = guide.limit();
    if (!(await isSeen(step, limit))) return step;
    await guide.look();
  }
  return undefined;
}

/** Rejects if the action itself failed. */
async function isSeen(step: TourStep, limit: AbortSignal): Promise<boolean> {
  const seen = step.seen().then(
    () => true,
    () => false,
  );
  const happened = async (): Promise<boolean> => {
    try {
      await step.happens(limit);
    } catch (error) {
      if (!limit.aborted) throw error;
    }
    return seen;
  };
  return Promise.race([happened(), aborted(limit).then(() => false)]);
}

function failed(io: Io, why: string): number {
  io.error(`platen: ${why}`);
  return exitCode.failed;
}
