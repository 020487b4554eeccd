/**
 * The dialogue of `platen init`: asks what flags, answers and the present file leave open, shows which printers and
 * readers there are, and gives the same answers as a file of them would.
 */
import { serviceUrl } from '../../config/values.ts';
import { printable } from '../../core/log.ts';
import { Secret } from '../../core/secret.ts';
import type { AnnouncedPrinter } from '../../printing/dns-sd.ts';
import type { Answers } from './answers.ts';
import { authUrlFor } from './answers.ts';
import type { Present } from './config.ts';
import type { Dialogue } from './dialogue.ts';
import type { PrinterAnswer, ReaderAnswer } from './options.ts';
import type { PrinterLook } from './printers.ts';
import { browsePrinters, idFor, lookAtPrinter, lookInWords } from './printers.ts';
import type { RunProgram } from './programs.ts';
import type { FoundReader } from './readers.ts';
import { findReaders, readerForms, readerSettings } from './readers.ts';
import { table } from '../table.ts';

export interface Interview {
  readonly answers: Answers;
  readonly present: Present;
  /** Enter keeps it. */
  readonly isKeyThere: boolean;
  readonly dialogue: Dialogue;
  readonly run: RunProgram;
  readonly signal: AbortSignal;
}

export interface Interviewed {
  readonly answers: Answers;
  readonly key?: Secret;
}

export async function interview(given: Interview): Promise<Interviewed> {
  const { answers, present, dialogue } = given;
  dialogue.say('Enter takes what stands in brackets; Ctrl-C leaves, and nothing is written before the end.');
  const baseUrl =
    answers.baseUrl ?? (await askUrl(dialogue, 'Address of the print service', present.baseUrl));
  const isSame = baseUrl === present.baseUrl;
  const suggested = (isSame ? present.authUrl : undefined) ?? authUrlFor(baseUrl);
  const authUrl = answers.authUrl ?? (await askUrl(dialogue, 'Address of its OAuth side', suggested));
  const key = answers.apiKeyFile === undefined ? await askKey(given) : undefined;
  const { printers, readers } = await askPrinters(given);
  return {
    answers: { ...answers, baseUrl, authUrl, printers, readers },
    ...(key ? { key } : {}),
  };
}

const askUrl = (dialogue: Dialogue, question: string, given: string | undefined): Promise<string> =>
  dialogue.ask(question, {
    given,
    check: (text) => serviceUrl.safeParse(text).error?.issues[0]?.message,
  });

async function askKey({ dialogue, isKeyThere }: Interview): Promise<Secret | undefined> {
  const hint = isKeyThere ? ' (not shown; Enter keeps the one there is)' : ' (not shown)';
  const key = await dialogue.ask(`API key${hint}`, {
    echo: 'hidden',
    ...(isKeyThere ? { given: '' } : {}),
  });
  return key === '' ? undefined : new Secret(key);
}

async function askPrinters({
  answers,
  present,
  dialogue,
  run,
  signal,
}: Interview): Promise<Pick<Answers, 'printers' | 'readers'>> {
  if (answers.printers.length > 0) return answers;
  const { terminals } = present;
  for (const { id, uri } of terminals)
    dialogue.say(`There is ${printable(id)} at ${printable(uri)}; it stays.`);
  const announced = await announcedHere({ dialogue, run, signal });
  const found = await findReaders();
  const printers: PrinterAnswer[] = [];
  const readers: ReaderAnswer[] = [...answers.readers];
  for (;;) {
    const isEnough = terminals.length + printers.length > 0;
    const uri = await askAddress(dialogue, announced, isEnough);
    if (uri === '') return { printers, readers };
    const look = await lookAtPrinter(uri, { signal });
    dialogue.say(`  ${printable(lookInWords(look))}`);
    if (look.failure !== undefined && !(await dialogue.confirm('Take it all the same?', 'no'))) continue;
    const name = announced.find((one) => one.uri === uri)?.name ?? look.description?.makeAndModel ?? '';
    const taken = [...terminals, ...printers].map(({ id }) => id);
    const suggested = present.unfinished.find((id) => !taken.includes(id)) ?? idFor(name, taken);
    printers.push(await askTerminal(dialogue, { look, suggested, taken }));
    const reader = await askReader(dialogue, found);
    const terminal = printers.at(-1)?.id;
    if (reader !== '') readers.push({ terminal, reader });
  }
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
    dialogue.say(`  none can be looked for: ${printable((error as Error).message)}; give addresses instead`);
    return [];
  }
  if (announced.length === 0) dialogue.say('  none announces itself; give addresses instead');
  const looks = await Promise.all(announced.map(({ uri }) => lookAtPrinter(uri, { signal })));
  const rows = announced.map(({ name, uri }, at) => {
    const look = looks[at];
    return [`${at + 1}`, name, uri, look ? lookInWords(look) : ''];
  });
  if (rows.length > 0) dialogue.say(table(rows));
  return announced;
}

async function askAddress(
  dialogue: Dialogue,
  announced: readonly AnnouncedPrinter[],
  isEnough: boolean,
): Promise<string> {
  const forms = 'ipp://10.0.0.7/ipp/print, ipps://…, socket://10.0.0.7:9100, cups:QUEUE';
  const chosen = (text: string) => (/^\d{1,3}$/.test(text) ? announced[Number(text) - 1]?.uri : text);
  const which = announced.length > 0 ? 'its number, or its address' : 'its address';
  const answer = await dialogue.ask(
    isEnough ? `Another printer: ${which}; Enter: no more` : `Printer: ${which}`,
    {
      ...(isEnough ? { given: '' } : {}),
      check: (text) =>
        text === '' || /^(?:ipps?:\/\/|socket:\/\/|cups:|windows:)./.test(chosen(text) ?? '')
          ? undefined
          : `must be like ${forms}`,
    },
  );
  return chosen(answer) ?? '';
}

async function askTerminal(
  dialogue: Dialogue,
  { look, suggested, taken }: { look: PrinterLook; suggested: string; taken: readonly string[] },
): Promise<PrinterAnswer> {
  const id = await dialogue.ask('  Terminal id', {
    given: suggested,
    check: (text) => {
      if (!/^[a-z0-9-]{1,32}$/.test(text)) return 'must be 1 to 32 of a-z, 0-9 and -';
      return taken.includes(text) ? 'is the id of another terminal' : undefined;
    },
  });
  const serialNumber = await dialogue.ask('  Serial number, as the print service knows it', {
    given: look.serialNumber,
    check: (text) => (text.length > 255 ? 'must be at most 255 characters long' : undefined),
  });
  return { id, uri: look.uri, serialNumber };
}

async function askReader(dialogue: Dialogue, found: readonly FoundReader[]): Promise<string> {
  if (found.length > 0)
    dialogue.say(table(found.map(({ answer, what }, at) => [`  ${at + 1}`, answer, what])));
  const chosen = (text: string) => (/^\d{1,3}$/.test(text) ? found[Number(text) - 1]?.answer : text);
  const which = found.length > 0 ? 'its number, its path' : 'its path';
  const answer = await dialogue.ask(`  Card reader: ${which}, or Enter for none`, {
    given: '',
    check: (text) =>
      text === '' || readerSettings(chosen(text) ?? '') ? undefined : `must be ${readerForms}`,
  });
  return chosen(answer) ?? '';
}
