/**
 * What may be done with the paper, in people's words. A keyword that stands nowhere here is shown as the printer lists
 * it: an administrator may have named a tray.
 */
import type { PaperWork, WorkKind } from '../../../domain/printer/paper-work.ts';
import { workKinds } from '../../../domain/printer/paper-work.ts';
import type { SentenceKey } from '../../../phrases/message.ts';
import type { Words } from '../languages/words.ts';

export const kindWords = {
  staple: 'staple',
  punch: 'punch',
  fold: 'fold',
  bind: 'bind',
  'media-source': 'paperTray',
  'media-type': 'paperKind',
  'output-bin': 'outputTray',
  'print-quality': 'quality',
} as const satisfies Record<WorkKind, SentenceKey>;

const finishingWords = {
  staple: 'stapled',
  punch: 'punched',
  fold: 'folded',
  bind: 'bound',
  'booklet-maker': 'booklet',
  'saddle-stitch': 'booklet',
  'fold-half': 'halfFold',
  'fold-letter': 'letterFold',
  'fold-z': 'zFold',
} as const satisfies Readonly<Record<string, SentenceKey>>;

const places = {
  'top-left': 'topLeft',
  'top-right': 'topRight',
  'bottom-left': 'bottomLeft',
  'bottom-right': 'bottomRight',
  left: 'leftEdge',
  right: 'rightEdge',
  top: 'topEdge',
  bottom: 'bottomEdge',
} as const satisfies Readonly<Record<string, SentenceKey>>;

/** How often, in the words of PWG 5100.1. */
const counts = { dual: 2, triple: 3, quad: 4 } as const;

/** Keywords of output-bin, media-source and media-type (PWG 5100.2, PWG 5100.7), and print-quality. */
const otherWords = {
  main: 'mainTray',
  manual: 'manualFeed',
  'by-pass-tray': 'bypassTray',
  envelope: 'envelopeTray',
  'large-capacity': 'largeTray',
  top: 'upperTray',
  upper: 'upperTray',
  middle: 'middleTray',
  bottom: 'lowerTray',
  lower: 'lowerTray',
  left: 'leftTray',
  right: 'rightTray',
  rear: 'rearTray',
  'face-up': 'faceUp',
  'face-down': 'faceDown',
  draft: 'draftQuality',
  normal: 'normalQuality',
  high: 'highQuality',
} as const satisfies Readonly<Record<string, SentenceKey>>;

const typeWords = {
  stationery: 'plainPaper',
  'stationery-letterhead': 'letterhead',
  'stationery-preprinted': 'preprinted',
  'stationery-prepunched': 'prepunched',
  'stationery-recycled': 'recycled',
  'stationery-colored': 'coloredPaper',
  'stationery-heavyweight': 'thickPaper',
  'stationery-lightweight': 'thinPaper',
  cardstock: 'cardstock',
  labels: 'labels',
  envelope: 'envelopes',
  photographic: 'photoPaper',
  transparency: 'transparency',
} as const satisfies Readonly<Record<string, SentenceKey>>;

const numbered = { tray: 'trayNumber', mailbox: 'mailboxNumber', stacker: 'stackerNumber' } as const;

export function workWord(kind: WorkKind, value: string, words: Words): string {
  const { say } = words;
  const key =
    kind === 'media-type'
      ? wordIn(typeWords, value)
      : (wordIn(finishingWords, value) ?? wordIn(otherWords, value));
  if (key) return say(key);
  const place = placeOf(value);
  if (place && kind !== 'media-source' && kind !== 'output-bin') {
    const where = say(place.at);
    return place.times === 1
      ? where
      : say('severalAt', { place: where, n: words.amount(String(place.times)) });
  }
  const [, stem = '', number = ''] = /^([a-z]+)-(\d+)$/.exec(value) ?? [];
  const counted = wordIn(numbered, stem);
  return counted ? say(counted, { n: number }) : value.replaceAll('-', ' ');
}

/** Everything in one line: `Staples: top left · Output tray: Lower tray`. */
export const workLine = (work: PaperWork, words: Words): readonly string[] =>
  workKinds.flatMap((kind) => {
    const value = work[kind];
    return value === undefined ? [] : [`${words.say(kindWords[kind])}: ${workWord(kind, value, words)}`];
  });

export interface MarkPlace {
  readonly at: (typeof places)[keyof typeof places];
  readonly times: number;
}

/** Where staples or holes come: `staple-dual-left` is two at the left edge. */
export function placeOf(value: string): MarkPlace | undefined {
  const [, count = '', name = ''] =
    /^(?:staple|punch|bind|edge-stitch)-(?:(dual|triple|quad)-)?([a-z-]+)$/.exec(value) ?? [];
  const at = wordIn(places, name);
  return at && { at, times: wordIn(counts, count) ?? 1 };
}

const wordIn = <Word>(table: Readonly<Record<string, Word>>, name: string): Word | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
