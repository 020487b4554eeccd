/** The language of the person in front: shown with the badge, chosen in a session, remembered with its badge alone. */
import { expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import type { CardNumber } from '../../src/domain/card/card-number.ts';
import type { LanguageCode } from '../../src/domain/language.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

/** What was remembered is the test's own to look at. */
function rememberingStand(options: Parameters<typeof terminalStage>[0] = {}) {
  const kept = new Map<string, LanguageCode>();
  const languages = {
    of: (card: CardNumber) => kept.get(card.reveal()),
    remember: (card: CardNumber, language: LanguageCode) => void kept.set(card.reveal(), language),
  };
  const at = terminalStage({ languages, ...options });
  return {
    ...at,
    kept,
    language: () => at.terminal.view.current().language,
    choose: (language: LanguageCode) =>
      at.terminal.tell({ type: 'language', generation: at.generation(), language }),
  };
}

it('comes with the badge, before its PIN is typed, and goes with the session', async () => {
  const { terminal, kept, language, tap, turn, state, generation } = rememberingStand({
    offer: { cardPin: true },
    documents: [documentNamed('one')],
  });
  kept.set(alice.reveal(), 'ja');
  const seen: (readonly [string, string | undefined])[] = [];
  terminal.view.onChange(() => seen.push([state(), language()]));
  expect(language()).toBeUndefined();
  await tap(alice);
  expect([state(), language()]).toEqual(['askingPin', 'ja']);
  terminal.tell({ type: 'pin', generation: generation(), pin: new Secret('0000') });
  await turn();
  expect([state(), language()]).toEqual(['choosing', 'ja']);
  await tap(alice);
  expect([state(), language()]).toEqual(['releasing', 'ja']);
  terminal.tell({ type: 'log-out', generation: generation() });
  expect([state(), language()]).toEqual(['prompting', undefined]);
  const states = ['askingPin', 'authenticating', 'listing', 'choosing', 'releasing'];
  expect(seen.filter(([in_, shown]) => states.includes(in_) !== (shown === 'ja'))).toEqual([]);
});

it('a choice is shown at once, and remembered with this badge and no other', async () => {
  const { terminal, kept, language, choose, tap } = rememberingStand();
  let frames = 0;
  terminal.view.onChange(() => (frames += 1));
  await tap(alice);
  const before = frames;
  choose('ar');
  expect(frames).toBeGreaterThan(before);
  expect([language(), [...kept]]).toEqual(['ar', [[alice.reveal(), 'ar']]]);
  await tap(bob);
  expect(language()).toBeUndefined();
  await tap(alice);
  expect(language()).toBe('ar');
});

it('whoever typed has it until the session is over, and nothing is remembered', async () => {
  const { terminal, kept, language, choose, turn, generation } = rememberingStand({
    offer: { ways: ['name'] },
  });
  const signIn = async () => {
    terminal.tell({
      type: 'log-in',
      generation: generation(),
      credentials: { kind: 'name', userName: 'alice' },
    });
    await turn();
  };
  await signIn();
  choose('fr');
  expect([language(), kept.size]).toEqual(['fr', 0]);
  terminal.tell({ type: 'log-out', generation: generation() });
  await signIn();
  expect(language()).toBeUndefined();
});

it('a store that cannot write keeps nobody from reading, nor from printing', async () => {
  const refused = new Problem('store-refused', 'the disk is full');
  const { log, language, choose, tap, tickets } = rememberingStand({
    languages: {
      of: () => 'de',
      remember: () => {
        throw refused;
      },
    },
  });
  await tap(alice);
  choose('es');
  expect(language()).toBe('es');
  expect(log.records('language not remembered')).toMatchObject([{ level: 'warn', code: 'store-refused' }]);
  expect(log.text()).not.toContain(alice.reveal());
  await tap(alice);
  expect(tickets).toHaveLength(2);
});

it('of an older view, or where nobody is signed in, it is ignored (D2)', async () => {
  const { terminal, log, kept, language, choose, tap, generation } = rememberingStand();
  choose('fr');
  await tap(alice);
  terminal.tell({ type: 'language', generation: generation() - 1, language: 'fr' });
  expect([language(), kept.size, log.records('choice ignored').length]).toEqual([undefined, 0, 2]);
});
