/** `platen demo --tour`: what can go wrong at a terminal, shown step by step; only what was really seen counts. */
import { describe, expect, it } from 'vitest';
import type { TourStep } from '../../src/commands/demo/tour-steps.ts';
import { walkTour } from '../../src/commands/demo/tour.ts';
import { runProgram, startProgram } from '../support/program.ts';

const tour = ['demo', '--tour', '--pace', '0', '--listen', '127.0.0.1:0'];

describe('platen demo --tour', () => {
  it('says each step in one sentence, sees all of them, and ends by itself with exit 0', async () => {
    const { code, stdout, stderr } = await runProgram(tour);
    expect([code, stderr]).toEqual([0, '']);
    const steps = [...stdout.matchAll(/^ *\d+\.\d{3} s {2}Step (\d+) of (\d+): ([A-Z][^.]+\.)$/gm)];
    expect(steps.map(([, number]) => Number(number))).toEqual(steps.map((_, place) => place + 1));
    expect(steps.map(([, , of]) => Number(of))).toEqual(steps.map(() => steps.length));
    const story = steps.map(([, , , sentence]) => sentence).join('\n');
    expect(story).toMatch(/wrong PIN[^]*new card[^]*jam[^]*goes away[^]*second person/);
    expect(stdout).toMatch(/Open this page to watch: http:\/\/127\.0\.0\.1:\d+\/t\/demo\?launch=\S+$/m);
    expect(stdout).toContain(`The tour is over. All ${steps.length} steps were seen.`);
  });

  it('that is stopped has not shown everything, with exit 1', async () => {
    await using demo = startProgram(tour);
    await demo.printed('Step 1 of');
    demo.child.kill('SIGINT');
    expect(await demo.exited).toEqual({ code: 1, signal: null });
    expect(demo.stderr()).toBe('platen: The tour was stopped.\n');
  });
});

describe('a tour', () => {
  const step = (says: string, seen: Promise<unknown>): TourStep => ({
    says,
    happens: () => undefined,
    seen: () => seen,
  });
  async function walked(steps: readonly TourStep[]) {
    const said: string[] = [];
    const over = new AbortController();
    const unseen = await walkTour(steps, {
      say(sentence) {
        said.push(sentence);
        if (said.length === steps.length) over.abort();
      },
      look: async () => undefined,
      limit: () => over.signal,
    });
    return { said, unseen: unseen?.says };
  }

  it.each<[what: string, seen: () => Promise<unknown>]>([
    ['nothing comes of', () => new Promise(() => undefined)],
    ['something else comes of', () => Promise.reject(new Error('something else'))],
  ])('ends at a step that %s', async (_, seen) => {
    const steps = [step('One.', Promise.resolve()), step('Two.', seen())];
    expect(await walked(steps)).toEqual({ said: ['Step 1 of 2: One.', 'Step 2 of 2: Two.'], unseen: 'Two.' });
  });
});
