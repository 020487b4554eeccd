import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { printable } from '../../src/core/text/printable.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { recordLog } from '../support/recorded-log.ts';

describe('a record', () => {
  it('is one line of JSON with time, level, message and the facts (contract, section 4)', () => {
    const lines: string[] = [];
    createLog({ level: 'info', destination: { write: (line) => lines.push(line) } }).info('terminal ready', {
      terminal: 'lobby',
    });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'info',
      msg: 'terminal ready',
      terminal: 'lobby',
    });
  });

  it('has each fact once, also one that its part of the log has already', () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
    log.with({ terminal: 'lobby', reader: 'desk' }).info('seen', { terminal: 'lobby' });
    expect(lines[0]?.match(/"terminal"/g)).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ terminal: 'lobby', reader: 'desk', msg: 'seen' });
  });

  it('stays one line of printable text whatever a printer is called (T21)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (name) => {
        const recorded = recordLog();
        recorded.log.warn('printer said', { name, error: new Error(name) });
        const text = recorded.text();
        expect(text.indexOf('\n')).toBe(text.length - 1);
        const { name: reported } = JSON.parse(text) as { name: string };
        expect(reported).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a mark of direction', '\u200f', '\\u200f'],
    ['the mark of Arabic letters', '\u061c', '\\u061c'],
    ['a tag', '\u{e0041}', '\\u{e0041}'],
    ['a joiner', '\u200d', '\\u200d'],
    ['a soft hyphen', '\u00ad', '\\u00ad'],
  ])('shows %s as its number', (_, character, shown) => {
    expect(printable(`pay${character}roll`)).toBe(`pay${shown}roll`);
  });

  it('tells an error with its code and its causes, and no stack at info', () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    log.error('print failed', { error: new Problem('printer-unreachable', 'no answer', { cause }) });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      error: { code: 'printer-unreachable', message: 'no answer', cause: { code: 'ECONNREFUSED' } },
    });
    expect(lines[0]).not.toContain('stack');
  });
});

describe('a secret and a card number', () => {
  const canary = 'canary-4711';

  it.each([
    ['secret', new Secret(canary)],
    ['card', new CardNumber(canary)],
  ])('%s: cannot be printed by any usual way (I5)', (_what, value) => {
    const recorded = recordLog();
    recorded.log.info('seen', { value, nested: { value, list: [value] } });
    const printed = [
      String(value),
      value.toString(),
      JSON.stringify({ value }),
      inspect({ value }),
      recorded.text(),
    ];
    expect(printed.join('')).not.toContain(canary);
    expect(value.reveal()).toBe(canary);
  });
});
