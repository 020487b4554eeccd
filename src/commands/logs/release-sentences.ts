/** What the log says of documents on their way to paper, in words. */
import type { Facts, Sentences } from './sentence.ts';
import { because, counted, listed, release, said } from './sentence.ts';

export const releaseSentences: Sentences = {
  'release started': (facts) => `${release(facts)} started: a document is on its way to the printer.`,
  'release resumed': (facts) => `${release(facts)} goes on after the restart of Platen.`,
  'release repeated': (facts) =>
    `${release(facts)} prints a document again, because a person asked for it (${said(facts['again']).slice(0, 8)} before).`,
  'release skipped': ({ code }) => `A document was not released (${said(code)}).`,
  'release ended': endOf,
  'release failed unexpectedly': (facts) => `A release failed by a fault of Platen.${because(facts)}`,
  'release confirmed by a person': (facts) =>
    `${release(facts)}: a person confirmed that the pages came out.`,
  'confirmation refused': (facts) =>
    `${release(facts)}: what the person confirmed could not be recorded.${because(facts)}`,
  'download repeated': (facts) => `${release(facts)}: the download is tried again.${because(facts)}`,
  'download resumed': (facts) => `${release(facts)}: the download broke off and goes on.`,
  'delivery refused': (facts) =>
    `${release(facts)}: the print service does not deliver the document; Platen prints it itself.${because(facts)}`,
  'deletion refused': (facts) => `A document could not be deleted in the print service.${because(facts)}`,
  'deletion refused again': (facts) =>
    `A document could still not be deleted in the print service.${because(facts)}`,
  'owed deletion made': (facts) =>
    `${release(facts)}: the printed document is now deleted in the print service.`,
  'owed deletion refused again': (facts) =>
    `${release(facts)}: the printed document could still not be deleted in the print service.${because(facts)}`,
  'documents of another user hidden': ({ count }) =>
    `The print service listed ${counted(count, 'document')} of another user; not shown.`,
  'documents left out of the list': (facts) =>
    `Documents were left out of the list: ${Object.entries(leftOutReasons(facts))
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ')}.`,
  'documents of crashes not counted': (facts) =>
    `Documents that were in hand at a crash could not be counted.${because(facts)}`,
  'balance not checked': (facts) => `The balance could not be checked.${because(facts)}`,
  'charging not recorded': (facts) => `That prints are charged here could not be saved.${because(facts)}`,
  'converter not in namespaces': () =>
    'The converter runs without namespaces of its own, with limits only (see conversion.require).',
  'stage took': ({ stage, seconds }) => `The stage "${said(stage)}" took ${said(seconds)} s.`,
  'printer address adopted': ({ printer }) =>
    `The printer is now ${said(printer)}, as the print service says.`,
  'printer certificate pinned': ({ printer }) =>
    `The certificate of the printer ${said(printer)} was seen for the first time and is remembered.`,
  'printer model changed': ({ printer, was, is }) =>
    `The printer ${said(printer)} is another model: ${said(was)} before, ${said(is)} now.`,
  'printer refuses names': ({ printer, attributes }) =>
    `The printer ${said(printer)} does not take these names: ${listed(attributes)}; Platen prints without them.`,
  'printer ignores job attributes': ({ printer, attributes }) =>
    `The printer ${said(printer)} ignored settings of a job: ${listed(attributes)}.`,
  'printer tells nothing of its jobs': ({ jobId, reasons }) =>
    `The printer tells nothing of its job ${said(jobId)} any more${listed(reasons) && ` (${listed(reasons)})`}.`,
  'job not cancelled yet': (facts) =>
    `The job ${said(facts['jobId'])} is not cancelled yet.${because(facts)}`,
  'spooler has gone': ({ jobs }) => `The spooler does not answer any more; jobs in it: ${listed(jobs)}.`,
  'spooler does not answer yet': (facts) => `The spooler does not answer yet.${because(facts)}`,
  'spooler came back with a job': ({ jobId }) =>
    `The spooler is back and still has the job ${said(jobId)}; it may print again by itself.`,
  'spooler keeps the document': (facts) =>
    `The spooler keeps the document of the job ${said(facts['jobId'])}.${because(facts)}`,
};

function endOf(facts: Facts): string {
  switch (facts['outcome']) {
    case 'completed':
      return `${release(facts)}: the document was printed.`;
    case 'failed':
      return `${release(facts)} failed; nothing came out.${because(facts)}`;
    default:
      return `${release(facts)}: it is not known whether the document came out.${because(facts)}`;
  }
}

/** Each reason with its count, and nothing else of the record. */
const leftOutReasons = (facts: Facts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([reason, count]) =>
      typeof count === 'number' ? [[said(reason), count] as const] : [],
    ),
  );
