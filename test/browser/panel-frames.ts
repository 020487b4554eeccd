/** What opens over the list: the pages of a document to look at, and the files of a stick. */
import type { StickView, StickWhy } from '../../src/domain/terminal/stick-view.ts';
import type { PreviewView } from '../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { pngOf } from '../support/printer/png-writer.ts';
import { choosing } from './frames.ts';
import { lecture, optionsList } from './list-frames.ts';

/** Of the picture of a page: a red sheet in the middle of a clear square. */
export const side = 64;
const pixels = Array.from({ length: side * side }, (_, at) => {
  const isSheet = Math.abs((at % side) - side / 2) < 22;
  return isSheet ? [255, 0, 0, 255] : [0, 0, 0, 0];
});
export const redPage = pngOf({
  width: side,
  height: side,
  kind: 6,
  bits: 8,
  lines: Buffer.from(pixels.flat()),
});

export const previewOffered: Frame = { ...optionsList, offersPreview: true };

export const withPreview = (preview: Partial<PreviewView>): Frame => ({
  ...previewOffered,
  preview: { documentUuid: lecture.uuid, page: 1, stage: 'making', ...preview },
});

export const pageShown = (page: number): Frame =>
  withPreview({ page, stage: 'shown', picture: `picture-${page}` });

export const files: NonNullable<StickView['files']> = [
  { folder: '', name: 'Boarding pass.pdf', octets: 84_000 },
  {
    folder: 'Holidays/2026 – the long way round, with all the others',
    name: 'Beach.jpeg',
    octets: 4_300_000,
  },
  { folder: 'Work', name: `${'A name that is as long as a name may be '.repeat(4)}.pdf`, octets: 52_000_000 },
  { folder: 'عمل', name: 'تقرير (final).pdf', octets: 900 },
  ...Array.from({ length: 20 }, (_, at) => ({ folder: 'Scans', name: `Scan ${at}.png`, octets: 1_000_000 })),
];

export const withStick = (stick: Partial<StickView>): Frame => ({
  ...choosing,
  stick: { stage: 'in', edition: 1, ...stick },
});

export const stickOpened = withStick({ stage: 'files', files });
export const fileOnItsWay = withStick({ stage: 'bringing', name: 'Boarding pass.pdf', percent: 40 });

const whys: readonly StickWhy[] = [
  ...(['pulled-out', 'unreadable', 'too-large', 'unfit', 'locked'] as const),
  ...(['no-queue', 'denied', 'not-sent', 'failed'] as const),
];

/** All that is said of a stick that has been opened. */
export const stickStates: Readonly<Record<string, Frame>> = {
  reading: withStick({ stage: 'reading' }),
  files: stickOpened,
  none: withStick({ stage: 'files', files: [] }),
  bringing: fileOnItsWay,
  brought: withStick({ stage: 'files', files, isMore: true, name: 'Boarding pass.pdf' }),
  ...Object.fromEntries(whys.map((why) => [why, withStick({ stage: 'files', files, why })])),
  failed: withStick({ stage: 'failed', why: 'pulled-out' }),
};
