/** Every `msg` of the log with its sentence; the demo tells by the same ones. */
import { printable } from '../../core/log.ts';
import { fleetSentences } from './fleet-sentences.ts';
import { guestSentences } from './guest-sentences.ts';
import { machineSentences } from './machine-sentences.ts';
import { personSentences } from './person-sentences.ts';
import { releaseSentences } from './release-sentences.ts';
import type { Facts, Sentence } from './sentence.ts';
import { asSentence, because } from './sentence.ts';
import { serviceSentences } from './service-sentences.ts';
import { tellingSentences } from './telling-sentences.ts';

/** By `msg`; a map, so that no message of a foreign log finds what every object has. */
export const sentences: ReadonlyMap<string, Sentence> = new Map(
  [
    personSentences,
    releaseSentences,
    serviceSentences,
    fleetSentences,
    machineSentences,
    tellingSentences,
    guestSentences,
  ].flatMap((some) => Object.entries(some)),
);

/** It goes on all the time, and tells a person nothing. */
const routine: ReadonlySet<string> = new Set([
  'device token refreshed',
  'status reported',
  'settings not kept',
  'several devices fit; the first free one is taken',
]);

/** Conditions that a record of their own tells just before or after. */
const toldBesides: ReadonlySet<unknown> = new Set([
  'config-not-reloaded',
  'fleet-engine-away',
  'fleet-engine-refused',
  'fleet-key-differs',
  'fleet-differs',
  'fleet-member-twice',
  'fleet-member-behind',
]);

export interface LogRecord extends Facts {
  readonly level: string;
  readonly msg: string;
}

/** What a newer or older Platen logged, and this one has no words for, is told as it stands. */
export const sentenceOf = (record: LogRecord): string =>
  sentences.get(record.msg)?.(record) ?? `${asSentence(printable(record.msg))}${because(record)}`;

/** For everybody, not only for who asks for all of it. */
export const isTelling = ({ msg, level, code }: LogRecord): boolean =>
  level !== 'trace' &&
  level !== 'debug' &&
  !(level === 'info' && routine.has(msg)) &&
  !(msg === 'condition raised' && toldBesides.has(code));
