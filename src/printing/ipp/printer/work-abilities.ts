/**
 * What a printer can do with paper, from its Get-Printer-Attributes answer: what is ready now (`finishings-ready`,
 * `media-col-ready`), else what it supports, and what it cannot do together (`job-constraints-supported`). Its resolvers
 * (`job-resolvers-supported`) are not needed, because nothing is offered that would have to be resolved.
 */
import type { Constraint, WorkAbilities, WorkKind } from '../../../domain/printer/paper-work.ts';
import { kindOfFinishing } from '../../../domain/printer/paper-work.ts';
import type { Attribute, Value } from '../../../ipp/message.ts';
import { collections, integers, isKeyword, keywords } from '../../../ipp/message.ts';
import { finishingName, printQualities } from '../../../ipp/registry.ts';
import { readyPapers } from './paper-trays.ts';

export const requestedOfWork: readonly string[] = [
  'finishings-ready',
  'finishings-supported',
  'job-constraints-supported',
  'media-col-supported',
  'media-source-supported',
  'media-type-supported',
  'output-bin-supported',
  'print-quality-supported',
];

export function workAbilities(attributes: readonly Attribute[]): WorkAbilities {
  const ready = integers(attributes, 'finishings-ready');
  const finishings = named(ready.length > 0 ? ready : integers(attributes, 'finishings-supported'));
  const papers = readyPapers(attributes);
  const members = keywords(attributes, 'media-col-supported');
  const ofPaper = (member: 'media-source' | 'media-type', told: readonly (string | undefined)[]) => {
    if (!members.includes(member)) return [];
    const listed = told.filter((one) => one !== undefined);
    return distinct(listed.length > 0 ? listed : keywords(attributes, `${member}-supported`)).filter(isOwn);
  };
  const qualities = integers(attributes, 'print-quality-supported');
  return {
    choices: {
      ...finishingChoices(finishings),
      'media-source': ofPaper(
        'media-source',
        papers.map(({ source }) => source),
      ),
      'media-type': ofPaper(
        'media-type',
        papers.map(({ type }) => type),
      ),
      'output-bin': distinct(keywords(attributes, 'output-bin-supported')).filter(isOwn),
      'print-quality': Object.entries(printQualities)
        .filter(([, number]) => qualities.includes(number))
        .map(([name]) => name),
    },
    papers,
    constraints: collections(attributes, 'job-constraints-supported').map(constraintOf),
  };
}

/** More than a person looks through. */
const mostValues = 24;

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].slice(0, mostValues);

/** `auto` is what a printer does without being asked. Names (RFC 8011 section 5.1.3) would have to be asked for as names. */
const isOwn = (value: string): boolean => isKeyword(value) && value !== 'auto';

const named = (numbers: readonly number[]): readonly string[] =>
  distinct(numbers.flatMap((number) => finishingName(number) ?? []));

const finishingChoices = (
  listed: readonly string[],
): Readonly<Partial<Record<WorkKind, readonly string[]>>> =>
  Object.fromEntries(
    Map.groupBy(listed, kindOfFinishing)
      .entries()
      .filter(([kind]) => kind !== undefined),
  );

/**
 * The members of `media-col` are taken out of it. No job asks for an attribute that is unknown here, so a constraint with
 * such an attribute forbids nothing.
 */
const constraintOf = (members: readonly Attribute[]): Constraint =>
  Object.fromEntries(
    members
      .filter(({ name }) => name !== 'resolver-name')
      .flatMap(({ name, values }) =>
        name === 'media-col'
          ? values.flatMap((value) => (value.tag === 'begCollection' ? value.members : []))
          : [{ name, values }],
      )
      .map(({ name, values }) => [name, values.flatMap((value) => textOf(name, value))]),
  );

function textOf(name: string, value: Value): readonly string[] {
  if ('text' in value) return [value.text];
  if (!('integer' in value)) return [];
  if (name === 'finishings') return [finishingName(value.integer) ?? ''];
  if (name === 'print-quality')
    return Object.entries(printQualities).flatMap(([word, number]) =>
      number === value.integer ? [word] : [],
    );
  return [String(value.integer)];
}
