/**
 * The third question of `platen init`: the printers. It finds out the name of a printer, its serial number and its card
 * reader if it can, and asks the person otherwise.
 */
import { printable } from '../../../core/text/printable.ts';
import type { AnnouncedPrinter } from '../../../printing/dns-sd.ts';
import { table } from '../../terminal-text/table.ts';
import type { Answers } from '../answers.ts';
import type { Dialogue } from '../dialogue.ts';
import type { PrinterAnswer, ReaderAnswer } from '../options.ts';
import type { PrinterLook } from './printers.ts';
import { browsePrinters, idFor, lookAtPrinter, lookInWords } from './printers.ts';
import type { Interview } from '../interview.ts';
import type { FoundReader } from '../readers.ts';
import { findReaders, readerForms, readerSettings } from '../readers.ts';

export async function askPrinters(given: Interview): Promise<Pick<Answers, 'printers' | 'readers'>> {
  const { answers, present, dialogue, signal } = given;
  if (answers.printers.length > 0) return answers;
  const { terminals } = present;
  for (const { id, uri } of terminals)
    dialogue.say(`The file has ${printable(id)} at ${printable(uri)}. It stays.`);
  const announced = await announcedHere(given);
  const printers: PrinterAnswer[] = [];
  for (;;) {
    const isEnough = terminals.length + printers.length > 0;
    const uris = await askAddresses(dialogue, announced, isEnough);
    for (const uri of uris) {
      const look = await lookAtPrinter(uri, { signal });
      dialogue.say(`  ${printable(uri)}: ${printable(lookInWords(look))}`);
      if (look.failure !== undefined && !(await dialogue.confirm('Use it anyway?', 'no'))) continue;
      const name = announced.find((one) => one.uri === uri)?.name ?? look.description?.makeAndModel ?? '';
      const taken = [...terminals, ...printers].map(({ id }) => id);
      const id = present.unfinished.find((one) => !taken.includes(one)) ?? idFor(name, taken);
      printers.push({ id, uri, serialNumber: await serialOf(look, dialogue) });
    }
    if (isEnough || printers.length > 0) break;
  }
  return { printers, readers: [...answers.readers, ...(await readersFor(printers, given))] };
}

async function announcedHere({
  dialogue,
  run,
  signal,
}: Pick<Interview, 'dialogue' | 'run' | 'signal'>): Promise<readonly AnnouncedPrinter[]> {
  dialogue.say('Looking for printers on this network ...');
  let announced: readonly AnnouncedPrinter[];
  try {
    announced = await browsePrinters({ run, signal });
  } catch (error) {
    dialogue.say(
      `  Platen cannot search for printers: ${printable((error as Error).message)}. Give addresses instead`,
    );
    return [];
  }
  if (announced.length === 0) dialogue.say('  No printer announces itself. Give addresses instead');
  const looks = await Promise.all(announced.map(({ uri }) => lookAtPrinter(uri, { signal })));
  const rows = announced.map(({ name, uri }, at) => {
    const look = looks[at];
    return [`${at + 1}`, name, uri, look ? lookInWords(look) : ''];
  });
  if (rows.length > 0) dialogue.say(table(rows));
  return announced;
}

const forms = 'ipp://10.0.0.7/ipp/print, ipps://…, socket://10.0.0.7:9100, cups:QUEUE';

/** Several addresses with blanks between them. The name of a Windows printer may have blanks itself. */
async function askAddresses(
  dialogue: Dialogue,
  announced: readonly AnnouncedPrinter[],
  isEnough: boolean,
): Promise<readonly string[]> {
  const chosen = (text: string) => (/^\d{1,3}$/.test(text) ? announced[Number(text) - 1]?.uri : text);
  const parts = (text: string) =>
    text.startsWith('windows:') ? [text] : text.split(/[\s,]+/).filter(Boolean);
  const which = announced.length > 0 ? 'its number, or its address' : 'its address';
  const isPrinter = (text: string) =>
    /^(?:ipps?:\/\/|socket:\/\/|cupss?:|windows:)./.test(chosen(text) ?? '');
  const answer = await dialogue.ask(
    isEnough ? `Another printer: ${which}; Enter: no more` : `Printer: ${which}`,
    {
      ...(isEnough ? { given: '' } : {}),
      check: (text) => (parts(text).every(isPrinter) ? undefined : `must look like ${forms}`),
    },
  );
  return [...new Set(parts(answer).map((part) => chosen(part) ?? ''))];
}

async function serialOf(look: PrinterLook, dialogue: Dialogue): Promise<string> {
  if (look.serialNumber !== undefined) return look.serialNumber;
  return dialogue.ask('  The printer reports no serial number. Its serial number in the print service', {
    check: (text) => (text.length > 255 ? 'must be at most 255 characters long' : undefined),
  });
}

/** One printer and one reader belong together. If there are more, only a person knows. */
async function readersFor(
  printers: readonly PrinterAnswer[],
  { answers, present, dialogue }: Interview,
): Promise<readonly ReaderAnswer[]> {
  const unserved = printers.filter(({ id }) => answers.readers.every(({ terminal }) => terminal !== id));
  const found = await findReaders();
  const [only] = found;
  const [printer] = unserved;
  if (!only || !printer || (answers.readers.length > 0 && present.terminals.length + printers.length === 1)) {
    if (unserved.length > 0 && answers.readers.length === 0) dialogue.say(noReader);
    return [];
  }
  if (found.length === 1 && printers.length === 1 && present.terminals.length === 0) {
    dialogue.say(`  Its card reader is ${printable(only.answer)} (${printable(only.what)}).`);
    return [{ terminal: printer.id, reader: only.answer }];
  }
  dialogue.say(table(found.map(({ answer, what }, at) => [`  ${at + 1}`, answer, what])));
  const readers: ReaderAnswer[] = [];
  for (const { id } of unserved) {
    const reader = await askReader(dialogue, id, found);
    if (reader !== '') readers.push({ terminal: id, reader });
  }
  return readers;
}

const noReader = '  No card reader is plugged in. When you have one, run platen init --reader ID=READER';

async function askReader(dialogue: Dialogue, id: string, found: readonly FoundReader[]): Promise<string> {
  const chosen = (text: string) => (/^\d{1,3}$/.test(text) ? found[Number(text) - 1]?.answer : text);
  const answer = await dialogue.ask(`  Card reader of ${id}: its number, its path, or Enter for none`, {
    given: '',
    check: (text) =>
      text === '' || readerSettings(chosen(text) ?? '') ? undefined : `must be ${readerForms}`,
  });
  return chosen(answer) ?? '';
}
