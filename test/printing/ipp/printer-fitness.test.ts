/** What makes a printer of no use for any document, by its own description. */
import { describe, expect, it } from 'vitest';
import type { OutputType } from '../../../src/domain/output-port.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import type { Operation } from '../../../src/ipp/registry.ts';
import { operations } from '../../../src/ipp/registry.ts';
import { boolean, enumValue, keyword, mimeMediaType } from '../../../src/ipp/values.ts';
import { printerAttributes } from '../../../src/printing/ipp/printer/printer-attributes.ts';
import { unfitness } from '../../../src/printing/ipp/printer/printer-fitness.ts';
import { idlePrinter } from '../../support/printer/scripted-printer.ts';

function faultOf(changed: readonly Attribute[], outputType: OutputType = 'auto') {
  const { groups = [] } = idlePrinter(...changed);
  return unfitness(printerAttributes({ version: [2, 0], code: 0, requestId: 1, groups }), outputType);
}

const able = (...names: readonly Operation[]) =>
  attribute('operations-supported', ...names.map((name) => enumValue(operations[name])));
const takes = (...types: readonly string[]) =>
  attribute('document-format-supported', ...types.map(mimeMediaType));
const accepts = (isAccepting: boolean) => attribute('printer-is-accepting-jobs', boolean(isAccepting));
const state = (number: number, reason = 'none') => [
  attribute('printer-state', enumValue(number)),
  attribute('printer-state-reasons', keyword(reason)),
];

describe('the operations of a printer', () => {
  it.each<[string, readonly Operation[]]>([
    ['Create-Job with Send-Document', ['Create-Job', 'Send-Document']],
    ['Print-Job alone', ['Print-Job']],
    ['Create-Job without Send-Document, and Print-Job', ['Create-Job', 'Print-Job']],
  ])('are enough with %s', (_, names) => {
    expect(faultOf([able('Get-Printer-Attributes', ...names)])).toBeUndefined();
  });

  it.each<[string, readonly Operation[]]>([
    ['only questions', ['Get-Printer-Attributes', 'Get-Jobs']],
    ['Create-Job alone', ['Create-Job']],
    ['Send-Document alone', ['Send-Document']],
  ])('are not enough with %s', (_, names) => {
    expect(faultOf([able(...names)])).toMatchObject({
      code: 'printer-incapable',
      message: expect.stringContaining('neither Create-Job with Send-Document nor Print-Job'),
    });
  });
});

describe('the formats of a printer', () => {
  const pixels = (...types: readonly string[]) =>
    attribute('pwg-raster-document-type-supported', ...types.map(keyword));

  it.each<[string, readonly Attribute[], OutputType?]>([
    ['one that documents come in', [takes('text/calendar', 'image/jpeg')]],
    ['one that PDF is converted to', [takes('application/vnd.hp-PCLXL')]],
    ['raster of a kind that can be made', [takes('image/pwg-raster'), pixels('sgray_8')]],
    ['anything, sent as it is', [takes('application/octet-stream')], 'raw'],
    ['the only one of outputType', [takes('application/pdf')], 'pdf'],
  ])('are enough with %s', (_, attributes, outputType) => {
    expect(faultOf(attributes, outputType)).toBeUndefined();
  });

  it.each<[string, readonly Attribute[], RegExp, OutputType?]>([
    ['nothing known', [takes('text/calendar')], /lists text\/calendar$/],
    ['octets of no type', [takes('application/octet-stream')], /lists application\/octet-stream$/],
    [
      'raster of a strange kind',
      [takes('image/pwg-raster'), pixels('device3_8')],
      /lists image\/pwg-raster$/,
    ],
    ['nothing of outputType', [takes('image/urf', 'image/jpeg')], /with outputType ps3 to/, 'ps3'],
  ])('are not enough with %s', (_, attributes, message, outputType) => {
    expect(faultOf(attributes, outputType)).toMatchObject({
      code: 'printer-incapable',
      message: expect.stringMatching(message),
    });
  });
});

describe('a printer that accepts no jobs', () => {
  it('rejects them when it rests, and may take them soon when it works', () => {
    expect(faultOf([accepts(false), ...state(3)])).toMatchObject({ code: 'printer-rejecting' });
    expect(faultOf([accepts(false), ...state(4)])).toBeUndefined();
    expect(faultOf([accepts(true), ...state(3)])).toBeUndefined();
  });

  it('is told as what must be mended at it, where something must', () => {
    expect(faultOf([accepts(false), ...state(5, 'media-jam-error')])).toBeUndefined();
  });
});
