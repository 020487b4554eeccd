/** The chronicle read once: what the log's lines say of releases, and what came out of each document. */
import type { Chronicle, SeenDocument, SeenOutput, SpokenWord } from '../chronicle.ts';
import type { HabitJudged } from '../habits.ts';
import { allowedEnds, concealsLoss, judgedHabit } from '../habits.ts';

/** What must not be: the number of the invariant (INVARIANTS.md, "Invariants"), and a sentence. */
export interface Violation {
  readonly invariant: string;
  readonly what: string;
  /** Where it happened, for the table of habits. */
  readonly terminal?: string | undefined;
}

export type Outcome = 'completed' | 'failed' | 'unknown';

export interface Release {
  readonly id: string;
  readonly document: string;
  readonly terminal: string;
  readonly startedAt: number;
  /** Before it another release of the document began. */
  readonly nextAt: number;
  /** As the log tells it, the last one last; none where a kill came before. */
  readonly ends: readonly {
    readonly at: number;
    readonly outcome: Outcome;
    readonly code: string | undefined;
  }[];
}

export interface LogFacts {
  readonly at: number;
  readonly life: number;
  readonly msg: string;
  readonly level: string;
  readonly [fact: string]: unknown;
}

/** Of one printer, together. */
export interface HabitsThere {
  readonly concealsLoss: boolean;
  readonly handsOver: boolean;
  readonly ends: HabitJudged['ends'];
}

export interface Readings {
  readonly chronicle: Chronicle;
  readonly records: readonly LogFacts[];
  readonly releases: readonly Release[];
  document(uuid: string): SeenDocument | undefined;
  nameOf(uuid: string): string;
  outputsOf(uuid: string): readonly SeenOutput[];
  /**
   * Something of the document came out at the release's own printer before another release began. What comes out late at
   * another one is of the release there, which was called unknown.
   */
  hasComeOut(release: Release): boolean;
  /** Explicit words of a person on this document that were, or may have been, heard. */
  wordsOn(uuid: string, command: SpokenWord['command']): readonly SpokenWord[];
  /** What the printer there can be believed. */
  habitsAt(terminal: string | undefined): HabitsThere;
  /** It refused for a while to be asked about anything, which is an answer: the job is handed over then. */
  wasMute(terminal: string, from: number, to: number): boolean;
}

export function readChronicle(chronicle: Chronicle): Readings {
  const records = chronicle.log.map(({ at, life, line }) => ({ ...JSON.parse(line), at, life }) as LogFacts);
  const documents = new Map(chronicle.documents.map((one) => [one.uuid, one]));
  const outputs = Map.groupBy(chronicle.outputs, ({ document }) => document);
  return {
    chronicle,
    records,
    releases: releasesOf(records),
    document: (uuid) => documents.get(uuid),
    nameOf: (uuid) => documents.get(uuid)?.name ?? uuid,
    outputsOf: (uuid) => outputs.get(uuid) ?? [],
    hasComeOut: ({ document, terminal, startedAt, nextAt }) =>
      (outputs.get(document) ?? []).some(
        (one) => one.terminal === terminal && one.at >= startedAt && one.at < nextAt,
      ),
    wordsOn: (uuid, command) =>
      chronicle.words.filter(
        (word) => word.command === command && word.documents.includes(uuid) && wasHeard(word),
      ),
    wasMute: (terminal, from, to) =>
      chronicle.disturbances.some((one) => {
        if (one.kind !== 'printer' || one.terminal !== terminal || one.fault !== 'HTTP 401') return false;
        return one.at <= to && (one.until ?? to) >= from;
      }),
    habitsAt(terminal) {
      const { habits } = chronicle.terminals.find(({ id }) => id === terminal) ?? { habits: [] };
      return {
        concealsLoss: concealsLoss(habits),
        handsOver: habits.some((name) => judgedHabit(name).handsOver),
        ends: allowedEnds(habits),
      };
    },
  };
}

/** Where the answer was lost, nobody knows. */
const wasHeard = ({ status }: SpokenWord): boolean => status === undefined || status === 0 || status === 204;

const text = (fact: unknown): string => (typeof fact === 'string' ? fact : '');

function releasesOf(records: readonly LogFacts[]): readonly Release[] {
  const ends = Map.groupBy(
    records.filter(({ msg }) => msg === 'release ended'),
    (record) => text(record['releaseId']),
  );
  const begun = records.filter(({ msg }) => msg === 'release started');
  const starts = Map.groupBy(begun, (record) => text(record['documentUuid']));
  return begun.map((record) => {
    const id = text(record['releaseId']);
    const document = text(record['documentUuid']);
    const next = starts.get(document)?.find(({ at }) => at > record.at);
    return {
      id,
      document,
      terminal: text(record['terminal']),
      startedAt: record.at,
      nextAt: next?.at ?? Number.POSITIVE_INFINITY,
      ends: (ends.get(id) ?? []).map((end) => ({
        at: end.at,
        outcome: text(end['outcome']) as Outcome,
        code: end['code'] === undefined ? undefined : text(end['code']),
      })),
    };
  });
}
