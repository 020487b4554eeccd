/**
 * What a person may have done with the paper besides copies, grey and both sides: staples, holes, folds, another output
 * bin, tray, kind of paper or quality. The values are keywords of the IANA IPP registry (RFC 8011 section 5.2, PWG
 * 5100.1, PWG 5100.7) or the printer's own, and only those that the printer lists.
 */

/** In the order in which people are asked. The first four are kinds of `finishings`, of which a job may have one each. */
export const workKinds = [
  'staple',
  'punch',
  'fold',
  'bind',
  'media-source',
  'media-type',
  'output-bin',
  'print-quality',
] as const;
export type WorkKind = (typeof workKinds)[number];

/** One value of each kind; a kind that is absent is left to the printer. */
export type PaperWork = Readonly<Partial<Record<WorkKind, string>>>;

/** The values of each kind among which a person may choose, in the printer's order. */
export type WorkChoices = Readonly<Partial<Record<WorkKind, readonly string[]>>>;

/** In hundredths of a millimetre, the unit of media-size (PWG 5100.7). */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Paper that lies in the printer (media-col-ready). What the printer does not tell is `undefined`. */
export interface ReadyPaper {
  readonly size: Size | undefined;
  readonly source: string | undefined;
  readonly type: string | undefined;
}

/**
 * Values of job attributes that the printer cannot do together (`job-constraints-supported`, PWG 5100.13): a job that
 * has one of the values of each of these attributes is refused. `finishings` is in keywords.
 */
export type Constraint = Readonly<Record<string, readonly string[]>>;

/** The printer's own description of its work on paper. */
export interface WorkAbilities {
  readonly choices: WorkChoices;
  /** Empty if the printer does not tell its paper. */
  readonly papers: readonly ReadyPaper[];
  readonly constraints: readonly Constraint[];
}

/** A job as far as the work on its paper depends on it. */
export interface WorkedOn {
  readonly sides: string | undefined;
  readonly isGrey: boolean;
  readonly copies: number;
  /** A name of PWG 5101.1 with its size; absent if the printer chooses the paper. */
  readonly media?: { readonly name: string; readonly size: Size | undefined } | undefined;
  readonly work: PaperWork;
}

export const isSameWork = (one: PaperWork = {}, other: PaperWork = {}): boolean =>
  workKinds.every((kind) => one[kind] === other[kind]);

const finishingKinds: readonly WorkKind[] = ['staple', 'punch', 'fold', 'bind'];

/** The job attribute that asks for this kind of work. */
export const attributeOfWork = (
  kind: WorkKind,
): 'finishings' | 'media-col' | 'output-bin' | 'print-quality' =>
  kind === 'output-bin' || kind === 'print-quality'
    ? kind
    : finishingKinds.includes(kind)
      ? 'finishings'
      : 'media-col';

/** The keywords of `finishings` in this work. */
export const finishingsOf = (work: PaperWork): readonly string[] =>
  finishingKinds.flatMap((kind) => work[kind] ?? []);

/** The kind of a finishing; `undefined` for what no person is asked about here, such as covers and trimming. */
export const kindOfFinishing = (keyword: string): WorkKind | undefined =>
  keyword === 'booklet-maker' || /^(?:saddle|edge)-stitch/.test(keyword)
    ? 'bind'
    : finishingKinds.find((kind) => keyword === kind || keyword.startsWith(`${kind}-`));

/** It holds sheets together, so each copy has to be a set of its own. */
export const bindsSheets = (work: PaperWork): boolean =>
  work.staple !== undefined || work.bind !== undefined || work.fold !== undefined;

/** The printer can do all of it, with the paper that lies in it. */
export const isPossible = ({ papers, constraints }: WorkAbilities, job: WorkedOn): boolean =>
  hasPaperFor(papers, job) && !constraints.some((constraint) => forbids(constraint, job));

/**
 * What can still be asked for of this job: each value fits the rest of the job as it is now. A kind with a single value
 * that the printer has anyway, such as its one tray, is no choice.
 */
export function choicesFor(abilities: WorkAbilities, job: WorkedOn): WorkChoices {
  const offered = workKinds.flatMap((kind) => {
    const values = abilities.choices[kind] ?? [];
    const possible = values.filter((value) =>
      isPossible(abilities, { ...job, work: { ...job.work, [kind]: value } }),
    );
    const isChoice = possible.length > (finishingKinds.includes(kind) ? 0 : 1);
    return isChoice ? [[kind, possible] as const] : [];
  });
  return Object.fromEntries(offered);
}

/** Only of these kinds. */
export const ofKinds = <Value>(
  work: Readonly<Partial<Record<WorkKind, Value>>>,
  kinds: readonly WorkKind[] = workKinds,
): Readonly<Partial<Record<WorkKind, Value>>> =>
  Object.fromEntries(kinds.flatMap((kind) => (work[kind] === undefined ? [] : [[kind, work[kind]]])));

/** The work as far as each part of it is among the choices. */
export const amongChoices = (work: PaperWork, choices: WorkChoices): PaperWork =>
  Object.fromEntries(
    workKinds.flatMap((kind) => {
      const value = work[kind];
      return value !== undefined && choices[kind]?.includes(value) ? [[kind, value]] : [];
    }),
  );

function hasPaperFor(papers: readonly ReadyPaper[], { media, work }: WorkedOn): boolean {
  const { 'media-source': source, 'media-type': type } = work;
  if (papers.length === 0 || (source === undefined && type === undefined)) return true;
  const fits = (told: string | undefined, wanted: string | undefined) =>
    told === undefined || wanted === undefined || told === wanted;
  return papers.some(
    (paper) =>
      fits(paper.source, source) &&
      fits(paper.type, type) &&
      (paper.size === undefined || media?.size === undefined || isSameSize(paper.size, media.size)),
  );
}

function forbids(constraint: Constraint, { sides, isGrey, copies, media, work }: WorkedOn): boolean {
  const job: Readonly<Record<string, readonly string[]>> = {
    sides: sides === undefined ? [] : [sides],
    copies: [String(copies)],
    'print-color-mode': isGrey ? ['monochrome'] : [],
    media: media ? [media.name] : [],
    finishings: finishingsOf(work),
    ...Object.fromEntries(
      (['media-source', 'media-type', 'output-bin', 'print-quality'] as const).map((kind) => [
        kind,
        work[kind] === undefined ? [] : [work[kind]],
      ]),
    ),
  };
  const parts = Object.entries(constraint);
  return parts.length > 0 && parts.every(([name, values]) => job[name]?.some((one) => values.includes(one)));
}

/** One millimetre, in hundredths: inches are rounded differently. */
const slack = 100;

/** Paper may lie with either edge ahead. */
export const isSameSize = (one: Size, other: Size): boolean =>
  (isNear(one.width, other.width) && isNear(one.height, other.height)) ||
  (isNear(one.width, other.height) && isNear(one.height, other.width));

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= slack;
