import { expect, it } from 'vitest';
import type { DocumentProgress } from '../../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../../src/kiosk/frame.ts';
import { signalOf } from '../../../src/kiosk/page/signals.ts';

const frame = (state: string, more: Partial<Frame> = {}): Frame => ({
  generation: 1,
  state,
  sentence: '',
  waiting: 0,
  ...more,
});
const refused = frame('prompting', { notice: { code: 'login-refused' } });
const progress = (...stages: readonly DocumentProgress['stage'][]) => ({
  progress: stages.map((stage) => ({ documentUuid: 'a', name: 'A', stage })),
});
const releasing = frame('releasing', progress('printing', 'printed'));

it.each<[what: string, before: Frame | undefined, next: Frame, signal: string | undefined]>([
  ['a badge is accepted', frame('authenticating'), frame('listing'), 'accepted'],
  ['a badge is refused', frame('authenticating'), refused, 'refused'],
  ['the refusal is still shown', refused, refused, undefined],
  ['all is printed', releasing, frame('releasing', progress('printed', 'printed')), 'done'],
  [
    'all is printed, and the list is back',
    releasing,
    frame('choosing', progress('printed', 'printed')),
    'done',
  ],
  ['some was only sent (I12)', releasing, frame('releasing', progress('handed-over', 'printed')), 'accepted'],
  ['something was not printed', releasing, frame('releasing', progress('failed', 'printed')), undefined],
  ['something is not known', releasing, frame('releasing', progress('unknown', 'printed')), undefined],
  [
    'the end was heard already',
    frame('releasing', progress('printed')),
    frame('choosing', progress('printed')),
    undefined,
  ],
  [
    'somebody else’s end comes',
    releasing,
    { ...frame('choosing', progress('printed')), generation: 2 },
    undefined,
  ],
  ['nobody says what was printed (I12)', frame('releasing'), frame('prompting'), undefined],
  [
    'the service goes away by itself',
    frame('prompting'),
    frame('prompting', { notice: { code: 'cloud-unreachable' } }),
    undefined,
  ],
  [
    'a card cannot be read',
    frame('prompting'),
    frame('prompting', { notice: { code: 'card-not-convertible' } }),
    'refused',
  ],
  ['the page is loaded', undefined, frame('prompting'), undefined],
  ['the line is back, and the refusal is shown still', undefined, refused, undefined],
  [
    'a card is registered',
    frame('registering'),
    frame('listing', { notice: { code: 'card-registered' } }),
    undefined,
  ],
])('when %s, the tone is right', (_what, before, next, signal) => {
  expect(signalOf(before, next)).toBe(signal);
});
