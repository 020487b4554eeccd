import { describe, expect, it } from 'vitest';
import * as get from '../../src/ipp/message.ts';
import { attribute } from '../../src/ipp/message.ts';
import { isSuccessful, statusName } from '../../src/ipp/registry.ts';
import * as value from '../../src/ipp/values.ts';

const attributes = [
  attribute('printer-state', value.enumValue(3)),
  attribute('queued', value.integer(2), value.integer(4)),
  attribute('formats', value.mimeMediaType('application/pdf'), value.mimeMediaType('image/urf')),
  attribute('formats', value.mimeMediaType('text/plain')),
  attribute('name', value.nameWithLanguage('de', 'Drucker')),
  attribute('accepting', value.boolean(false)),
  attribute('copies', value.rangeOfInteger(1, 99)),
  attribute('size', value.collection([attribute('x', value.integer(21_000))])),
  attribute('nothing', value.noValue),
  attribute('broken', { tag: 'raw', number: 0x21, octets: Buffer.alloc(3) }),
];

describe('the typed getters', () => {
  it('find values by their syntax', () => {
    expect(get.integer(attributes, 'printer-state')).toBe(3);
    expect(get.integers(attributes, 'queued')).toEqual([2, 4]);
    expect(get.string(attributes, 'name')).toBe('Drucker');
    expect(get.boolean(attributes, 'accepting')).toBe(false);
    expect(get.range(attributes, 'copies')).toEqual({ lower: 1, upper: 99 });
    expect(get.range(attributes, 'queued')).toEqual({ lower: 2, upper: 2 });
    expect(get.collections(attributes, 'size')).toEqual([[attribute('x', value.integer(21_000))]]);
  });

  it('leave out what has not the form of a keyword', () => {
    const words = ['media-jam', 'Media Jam', '', 'x\n', '<b>', 'x'.repeat(255), 'x'.repeat(256)];
    const reasons = [attribute('reasons', ...words.map(value.keyword))];
    expect(get.keywords(reasons, 'reasons')).toEqual(['media-jam', 'x'.repeat(255)]);
  });

  it('take an attribute that comes twice as it came first', () => {
    expect(get.strings(attributes, 'formats')).toEqual(['application/pdf', 'image/urf']);
  });

  it('find nothing where there is nothing of that syntax', () => {
    for (const name of ['nothing', 'broken', 'absent']) {
      expect(get.integer(attributes, name)).toBeUndefined();
      expect(get.string(attributes, name)).toBeUndefined();
      expect(get.boolean(attributes, name)).toBeUndefined();
      expect(get.range(attributes, name)).toBeUndefined();
      expect(get.collections(attributes, name)).toEqual([]);
    }
  });

  it('tell the first group of a kind from all of them', () => {
    const one = { tag: 'job-attributes', attributes: [attribute('job-id', value.integer(1))] } as const;
    const two = { tag: 'job-attributes', attributes: [attribute('job-id', value.integer(2))] } as const;
    const message = { version: [2, 0], code: 0, requestId: 1, groups: [one, two] } as const;
    expect(get.group(message, 'job-attributes')).toEqual(one.attributes);
    expect(get.groups(message, 'job-attributes')).toEqual([one, two]);
    expect(get.group(message, 'printer-attributes')).toEqual([]);
  });
});

it('status codes have their registered names, and unknown ones their number', () => {
  expect(statusName(0x0507)).toBe('server-error-busy');
  expect(statusName(0x1234)).toBe('0x1234');
  expect([0x0000, 0x0001, 0x00ff, 0x0100, 0x0400].map(isSuccessful)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
