/** The log messages about documents on their way to paper, in words. */
import type { Facts, Sentences } from './sentence.ts';
import { because, counted, listed, release, said } from './sentence.ts';

/** If a terminal has several printers. */
const atPrinter = ({ printer }: Facts): string => (printer === undefined ? '' : ` at ${said(printer)}`);

export const releaseSentences: Sentences = {
  'release started': (facts) => `${release(facts)} started. A document is being printed${atPrinter(facts)}.`,
  'release resumed': (facts) =>
    facts['from'] === undefined
      ? `${release(facts)} continues after the restart of Platen.`
      : `${release(facts)} comes from another gateway of the fleet. This gateway settles it.`,
  'release repeated': (facts) =>
    `${release(facts)} prints ${facts['pages'] === undefined ? 'a document again' : `pages ${said(facts['pages'])} of a document`}, because the person asked for it (earlier release: ${said(facts['again']).slice(0, 8)}).`,
  'release sent plain': (facts) =>
    `${release(facts)} prints a document that the printer could not unpack, without gzip (earlier release: ${said(facts['before']).slice(0, 8)}).`,
  'release settled by an administrator': (facts) =>
    `${release(facts)}: an administrator says that ${facts['word'] === 'came-out' ? 'it was printed' : 'nothing was printed'}.`,
  'release skipped': ({ code }) => `A document was not printed (${said(code)}).`,
  'release ended': endOf,
  'release failed unexpectedly': (facts) => `A release failed because of a bug in Platen.${because(facts)}`,
  'release confirmed by a person': (facts) =>
    `${release(facts)}: a person confirmed that the pages came out.`,
  'confirmation refused': (facts) =>
    `${release(facts)}: the person's answer could not be saved.${because(facts)}`,
  'download repeated': (facts) => `${release(facts)}: Platen tries the download again.${because(facts)}`,
  'download resumed': (facts) => `${release(facts)}: the download was interrupted and continues.`,
  'sent not synced': (facts) =>
    `${release(facts)}: the disk does not yet have the record that everything was sent. After a power cut now, Platen would search for the job.${because(facts)}`,
  'delivery refused': (facts) =>
    `${release(facts)}: the print service does not print the document. Platen prints it.${because(facts)}`,
  'deletion refused': (facts) => `A document could not be deleted in the print service.${because(facts)}`,
  'deletion refused again': (facts) =>
    `A document could still not be deleted in the print service.${because(facts)}`,
  'owed deletion made': (facts) =>
    `${release(facts)}: the printed document is now deleted in the print service.`,
  'owed deletion refused again': (facts) =>
    `${release(facts)}: the printed document could still not be deleted in the print service.${because(facts)}`,
  'documents of another user hidden': ({ count }) =>
    `The print service listed ${counted(count, 'document')} of another user. Platen does not show this.`,
  'documents left out of the list': (facts) =>
    `Documents were left out of the list: ${Object.entries(leftOutReasons(facts))
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ')}.`,
  'documents of crashes not counted': (facts) =>
    `The documents of a crash could not be counted.${because(facts)}`,
  'balance not checked': (facts) => `The balance could not be checked.${because(facts)}`,
  'charging not recorded': (facts) => `Platen could not save that prints cost money here.${because(facts)}`,
  'converter not in namespaces': () =>
    'The converter runs with limits only, without namespaces (see conversion.require).',
  'stage took': ({ stage, seconds }) => `The stage "${said(stage)}" took ${said(seconds)} s.`,
  'printer address adopted': ({ printer }) =>
    `The print service says that the printer is now ${said(printer)}.`,
  'printer certificate pinned': ({ printer }) =>
    `The certificate of the printer ${said(printer)} was seen for the first time and is now trusted.`,
  'printer model changed': ({ printer, was, is }) =>
    `The printer ${said(printer)} is a different model now: ${said(is)} instead of ${said(was)}.`,
  'printer refuses gzip': ({ printer }) =>
    `The printer ${said(printer)} cannot unpack compressed documents. From now on Platen sends it documents uncompressed.`,
  'printer validates no jobs': ({ printer }) =>
    `The printer ${said(printer)} does not say in advance whether it accepts a document. Platen sends the document anyway.`,
  'printer answer has broken parts': ({ printer, skipped }) =>
    `An answer of the printer ${said(printer)} has ${counted(skipped, 'broken part')}. Platen does not need them and did not read them.`,
  'printer refuses names': ({ printer, attributes }) =>
    `The printer ${said(printer)} does not accept these names: ${listed(attributes)}. Platen prints without them.`,
  'printer ignores job attributes': ({ printer, attributes }) =>
    `The printer ${said(printer)} ignored settings of a job: ${listed(attributes)}.`,
  'printer prints in spite of its reasons': ({ printer, reasons }) =>
    `The printer ${said(printer)} reports ${listed(reasons)}, but still prints.`,
  'printer holds the job': ({ jobId, reasons }) =>
    `The printer holds the job ${said(jobId)} until somebody releases it at its panel${listed(reasons) && ` (${listed(reasons)})`}.`,
  'printer tells nothing of its jobs': ({ jobId, reasons }) =>
    `The printer gives no more information about the job ${said(jobId)}${listed(reasons) && ` (${listed(reasons)})`}.`,
  'job not cancelled yet': (facts) =>
    `The job ${said(facts['jobId'])} is not cancelled yet.${because(facts)}`,
  'spooler has gone': ({ jobs }) => `The spooler no longer answers. Jobs in it: ${listed(jobs)}.`,
  'spooler does not answer yet': (facts) => `The spooler does not answer yet.${because(facts)}`,
  'spooler came back with a job': ({ jobId }) =>
    `The spooler is back and still has the job ${said(jobId)}. It may print it again.`,
  'spooler keeps the document': (facts) =>
    `The spooler keeps the document of the job ${said(facts['jobId'])}.${because(facts)}`,
};

function endOf(facts: Facts): string {
  switch (facts['outcome']) {
    case 'completed':
      return `${release(facts)}: the document was printed.`;
    case 'failed':
      return `${release(facts)} failed. Nothing was printed.${because(facts)}`;
    default:
      if (facts['code'] === 'claim-lost') {
        return `${release(facts)} is over here. Another gateway of the fleet settles it and knows its end.`;
      }
      return `${release(facts)}: nobody knows whether the document was printed.${because(facts)}`;
  }
}

/** Each reason with its count. Other facts of the record are not used. */
const leftOutReasons = (facts: Facts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([reason, count]) =>
      typeof count === 'number' ? [[said(reason), count] as const] : [],
    ),
  );
