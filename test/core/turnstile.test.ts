import { expect, it } from 'vitest';
import { Turns, turnstile } from '../../src/core/turnstile.ts';

const patience = () => ({ signal: new AbortController().signal });
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

it('keeps those who share a key in one line, and others out of it', async () => {
  const turns = new Turns();
  const inside: string[] = [];
  const enter = async (key: string, name: string) => {
    const place = await turns.enter(key, patience());
    inside.push(name);
    return place;
  };
  const first = enter('alice', 'a');
  const second = enter('alice', 'b');
  const leaving = new AbortController();
  const third = turns.enter('alice', leaving);
  const other = enter('bob', 'c');
  await settled();
  expect(inside).toEqual(['a', 'c']);
  leaving.abort(new Error('enough'));
  await expect(third).rejects.toThrow('enough');
  (await first)[Symbol.dispose]();
  await settled();
  expect(inside).toEqual(['a', 'c', 'b']);
  (await second)[Symbol.dispose]();
  (await other)[Symbol.dispose]();
  await expect(enter('alice', 'd')).resolves.toBeDefined();
});
