/** PostScript that would change the printer for all who come after, told by its octets as they come (INVARIANTS.md T16). */
import { describe, expect, it } from 'vitest';
import { jobLeaving } from '../../src/printing/unencapsulated-job.ts';

function isMet(text: string, length: number): boolean {
  const leaving = jobLeaving();
  const octets = Buffer.from(text, 'latin1');
  for (let at = 0; at < octets.length; at += length) leaving.see(octets.subarray(at, at + length));
  return leaving.isMet();
}

describe('the operator by which PostScript changes the printer for good', () => {
  it.each([
    ['at the very beginning', 'exitserver'],
    ['at the very end', '%!PS\ntrue () startjob'],
    ['as a parameter of the printer', '%!PS\n<< /StartJobPassword (x) >> setsystemparams'],
    ['as a parameter of a device', '%!PS\n(%disk0%) << /InitializeAction 1 >> setdevparams'],
    ['as a name that is looked up', 'serverdict/exitserver get exec'],
    ['far behind', `%!PS\n${'% comment\n'.repeat(9000)}0 exitserver\n`],
  ])('is found %s, in whatever pieces it comes', (_, text) => {
    for (const length of [text.length, 1000, 10, 3, 1]) expect(isMet(text, length)).toBe(true);
  });

  it.each([
    ['nowhere', '%!PS\nshowpage\n'],
    ['as a part of other names', '/myexitserver {} def /startjobs {} def\n'],
    ['as a word of a structured comment', '%%BeginExitServer: 0\n'],
  ])('stands %s', (_, text) => {
    expect(isMet(text, text.length)).toBe(false);
  });
});
