import { expect, it } from 'vitest';
import { turnstile } from '../../src/printing/turnstile.ts';
import { patience } from './samples.ts';

const settled = () => new Promise(setImmediate);

it('lets so many in, and the others in their order as places become free', async () => {
  const two = turnstile(2);
  const inside: string[] = [];
  const enter = async (name: string) => {
    const place = await two.enter(patience());
    inside.push(name);
    return place;
  };
  const [first] = [enter('a'), enter('b'), enter('c'), enter('d')];
  await settled();
  expect(inside).toEqual(['a', 'b']);
  (await first)?.[Symbol.dispose]();
  await settled();
  expect(inside).toEqual(['a', 'b', 'c']);
});

it('forgets who gave up waiting', async () => {
  const one = turnstile(1);
  const place = await one.enter(patience());
  const impatient = new AbortController();
  const given = one.enter(impatient);
  const patient = one.enter(patience());
  impatient.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  place[Symbol.dispose]();
  await expect(patient).resolves.toBeDefined();
});
