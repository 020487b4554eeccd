/** What of a text from outside stands on a screen. */
import { expect, it } from 'vitest';
import { visibleText } from '../../../src/core/text/visible-text.ts';

const joiner = '\u200D';
const family = ['👨', '👩', '👧', '👦'].join(joiner);
const wales = '🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}';

it.each([
  ['a family', `Our ${family}.pdf`, `Our ${family}.pdf`],
  ['a flag that is made of tags', wales, wales],
  ['a joiner that joins nothing', `In${joiner}voice${joiner}.pdf`, 'Invoice.pdf'],
  ['a mark of direction', 'fdp.\u202Exe', 'fdp.xe'],
  ['tags behind letters', 'Plan\u{E0067}\u{E007F}', 'Plan'],
])('has %s as it is seen', (_, text, seen) => {
  expect(visibleText(text)).toBe(seen);
});

it('is cut to 255 characters, and never in the middle of a picture', () => {
  const text = visibleText(`${'x'.repeat(250)}${family}`);
  expect(text).toBe(`${'x'.repeat(250)}${['👨', '👩', '👧'].join(joiner)}`);
  expect(visibleText(`${'x'.repeat(253)}${family}`)).toBe(`${'x'.repeat(253)}👨`);
});
