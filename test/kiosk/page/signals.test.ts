import { expect, it } from 'vitest';
import type { Frame } from '../../../src/kiosk/frame.ts';
import { signalOf } from '../../../src/kiosk/page/signals.ts';

const frame = (state: string, more: Partial<Frame> = {}): Frame => ({
  ...{ generation: 1, state, sentence: '', waiting: 0 },
  ...more,
});
const refused = frame('prompting', { notice: { code: 'login-refused' } });
const printed = { progress: [{ documentUuid: 'a', name: 'A', stage: 'printed' }] } as const;
const failed = { progress: [{ documentUuid: 'a', name: 'A', stage: 'failed' }] } as const;

it.each<[what: string, before: Frame | undefined, next: Frame, signal: string | undefined]>([
  ['a badge is accepted', frame('authenticating'), frame('listing'), 'accepted'],
  ['a badge is refused', frame('authenticating'), refused, 'refused'],
  ['the refusal is still shown', refused, refused, undefined],
  ['all is printed', frame('releasing', printed), frame('prompting'), 'done'],
  ['something was not printed', frame('releasing', failed), frame('listing'), undefined],
  ['nobody says what was printed (I12)', frame('releasing'), frame('prompting'), undefined],
  ['the page is loaded', undefined, frame('prompting'), undefined],
  [
    'a card is registered',
    frame('registering'),
    frame('listing', { notice: { code: 'card-registered' } }),
    undefined,
  ],
])('when %s, the tone is right', (_what, before, next, signal) => {
  expect(signalOf(before, next)).toBe(signal);
});
