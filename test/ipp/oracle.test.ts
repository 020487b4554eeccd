/**
 * The same octets, read and written by another implementation: @sealsystems/ipp 2.8.2. Not compared, because it is
 * known to be wrong there: dateTime (its sign is never read), values with a language when written, lists within
 * collections when written (they become 0), attributes and members it has no table entry for (dropped), out-of-band
 * values but no-value when written, octets above 0x7f in keywords (masked), lengths above 32 767 (read as negative).
 */
import ipp from '@sealsystems/ipp';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import { attribute, group } from '../../src/ipp/message.ts';
import type { Attribute, Message, Value } from '../../src/ipp/message.ts';
import { operations } from '../../src/ipp/registry.ts';
import {
  boolean,
  charset,
  collection,
  enumValue,
  integer,
  keyword,
  mimeMediaType,
  nameWithoutLanguage,
  naturalLanguage,
  rangeOfInteger,
  resolution,
  textWithoutLanguage,
  uri,
} from '../../src/ipp/values.ts';
import { capturedAnswer } from './messages.ts';

/** The value as the oracle shows it; `enumOf` names the attribute whose enum it may be. */
function seen(value: Value, enumOf: string | undefined): unknown {
  if (value.tag === 'enum') {
    const name = enumOf === undefined ? undefined : ipp.enums[enumOf]?.lookup[value.integer];
    return name ?? value.integer;
  }
  if ('language' in value) return `${value.language}\u001e${value.text}`;
  if ('text' in value) return value.text;
  if ('integer' in value) return value.integer;
  if ('boolean' in value) return value.boolean;
  if ('octets' in value) return value.octets.toString();
  if ('lower' in value) return [value.lower, value.upper];
  if ('units' in value) return [value.crossFeed, value.feed, value.units === 3 ? 'dpi' : 'dpcm'];
  if ('members' in value) return seenAll(value.members, () => undefined);
  return '';
}

function seenAll(attributes: readonly Attribute[], enumOf = (name: string): string | undefined => name) {
  return Object.fromEntries(
    attributes.map(({ name, values }) => {
      const all = values.map((value) => seen(value, enumOf(name)));
      return [name, all.length === 1 ? all[0] : all];
    }),
  );
}

const hasDate = ({ values }: Attribute): boolean => values.some((value) => value.tag === 'dateTime');
const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 });
const int32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });

describe('another implementation of RFC 8010', () => {
  it('reads the captured answer as this one does', () => {
    const octets = capturedAnswer();
    const { message } = decodeMessage(octets);
    const theirs = ipp.parse(octets)['printer-attributes-tag'];
    const comparable = group(message, 'printer-attributes').filter((one) => !hasDate(one));
    expect(comparable.length).toBeGreaterThan(80);
    expect(theirs).toMatchObject(seenAll(comparable));
  });

  it('reads what this one writes', () => {
    const value = fc.oneof(
      int32.map(integer),
      fc.boolean().map(boolean),
      ascii.map(keyword),
      ascii.map(uri),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map(textWithoutLanguage),
      fc.tuple(int32, int32).map(([lower, upper]) => rangeOfInteger(lower, upper)),
      fc.tuple(int32, int32).map(([crossFeed, feed]) => resolution(crossFeed, feed)),
    );
    const values = fc.array(value, { minLength: 1, maxLength: 3 });
    const members = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 4 });
    const nested = fc
      .tuple(members, values)
      .map(([names, inner]) => collection(names.map((name) => attribute(name, ...inner))));
    const attributes = fc
      .uniqueArray(fc.stringMatching(/^[a-z][a-z-]{0,20}$/), { minLength: 1, maxLength: 6 })
      .chain((names) =>
        fc.tuple(
          ...names.map((name) =>
            fc
              .oneof(
                values,
                nested.map((one) => [one]),
              )
              .map((all) => attribute(name, ...all)),
          ),
        ),
      );
    fc.assert(
      fc.property(attributes, (sent) => {
        const octets = encodeMessage({
          version: [2, 0],
          code: operations['Create-Job'],
          requestId: 7,
          groups: [{ tag: 'job-attributes', attributes: sent }],
        });
        expect(ipp.parse(octets)).toMatchObject({
          version: '2.0',
          operation: 'Create-Job',
          id: 7,
          'job-attributes-tag': seenAll(sent),
        });
      }),
    );
  });

  it('writes requests in the octets this one writes', () => {
    const theirs = ipp.serialize({
      version: '2.0',
      operation: 'Create-Job',
      id: 42,
      'operation-attributes-tag': {
        'attributes-charset': 'utf-8',
        'attributes-natural-language': 'en',
        'printer-uri': 'ipp://printer.example/ipp/print',
        'requesting-user-name': 'zoë',
        'job-name': 'Report.pdf [7f3a9c21]',
        'document-format': 'application/pdf',
      },
      'job-attributes-tag': {
        copies: 3,
        sides: 'two-sided-long-edge',
        'print-color-mode': 'monochrome',
        'orientation-requested': 'landscape',
        'page-ranges': [
          [1, 4],
          [7, 9],
        ],
      },
    });
    const ours: Message = {
      version: [2, 0],
      code: operations['Create-Job'],
      requestId: 42,
      groups: [
        {
          tag: 'operation-attributes',
          attributes: [
            attribute('attributes-charset', charset('utf-8')),
            attribute('attributes-natural-language', naturalLanguage('en')),
            attribute('printer-uri', uri('ipp://printer.example/ipp/print')),
            attribute('requesting-user-name', nameWithoutLanguage('zoë')),
            attribute('job-name', nameWithoutLanguage('Report.pdf [7f3a9c21]')),
            attribute('document-format', mimeMediaType('application/pdf')),
          ],
        },
        {
          tag: 'job-attributes',
          attributes: [
            attribute('copies', integer(3)),
            attribute('sides', keyword('two-sided-long-edge')),
            attribute('print-color-mode', keyword('monochrome')),
            attribute('orientation-requested', enumValue(4)),
            attribute('page-ranges', rangeOfInteger(1, 4), rangeOfInteger(7, 9)),
          ],
        },
      ],
    };
    expect(encodeMessage(ours).toString('hex')).toBe(theirs.toString('hex'));
    expect(decodeMessage(theirs).message).toEqual(ours);
  });
});
