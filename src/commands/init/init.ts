/**
 * `platen init`: from three answers (service, key, printers) to a terminal that is ready. It writes the configuration,
 * sees to it that an agent runs, says what the administrator of the service has to approve, and prints a test page. Run
 * again with the same answers it changes nothing. Where a person sits at a terminal it asks; elsewhere, and with
 * `--yes`, it never does.
 */
import { resolve } from 'node:path';
import type { ConfigDraft } from '../../config/config-edit.ts';
import { draftOf } from '../../config/config-edit.ts';
import type { Config } from '../../config/schema.ts';
import { systemChance } from '../../core/chance.ts';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import { printable } from '../../core/log.ts';
import type { Secret } from '../../core/secret.ts';
import { CommandFailed } from '../failure.ts';
import type { Answers } from './answers.ts';
import { answersOf } from './answers.ts';
import type { Present, TerminalAnswer } from './config.ts';
import { applyAnswers, checkDraft, keyFileOf, newFile, presentIn, readerMistakes } from './config.ts';
import { openDialogue } from './dialogue.ts';
import type { Reader } from './file.ts';
import { isForAgent, replaceFile, textOf } from './file.ts';
import { registerAndPrint } from './finish.ts';
import type { KeyPlace } from './key.ts';
import { beside, forgetOldKey, hasKey, keepKey, keyFrom, keyPlace, sealedKey } from './key.ts';
import { lookAtPrinter, lookInWords } from './printers.ts';
import type { InitOptions } from './options.ts';
import { usualConfig } from './options.ts';
import { runProgramOf } from './programs.ts';
import { interview } from './questions.ts';
import type { Vault } from './sealed.ts';
import { newSealingKey, openVault } from './sealed.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { serviceUser } from '../service-user.ts';

export async function initCommand(flags: InitOptions, io: Io): Promise<number> {
  const file = resolve(flags.config);
  const reader = serviceUser();
  const run = runProgramOf(io.env);
  const before = await textOf(file, { reader });
  const draft = draftOf(
    file,
    before ?? newFile({ stateDir: file === usualConfig ? '/var/lib/platen' : 'state' }),
  );
  const present = presentIn(draft);
  const vault = await openVault({ file, run, reader, io });
  const place = await keyPlace(file, present, { reader, vault });
  const isInteractive =
    !flags.yes && process.stdin.isTTY && process.stdout.isTTY && process.platform !== 'win32';

  const given = answersOf(flags);
  const { answers, key = await keyFrom(given, io) } = isInteractive
    ? await inDialogue(io, (dialogue) =>
        interview({
          ...{ answers: given, present, dialogue, run, signal: io.stop },
          isKeyThere: hasKey(present, place),
        }),
      )
    : { answers: given };

  const elsewhere = keyFileOf(present.apiKey);
  if (key && !place && elsewhere !== undefined) {
    throw new CommandFailed(`${file} reads the API key from ${elsewhere}: put it there by hand`);
  }

  const { terminals, missing } = await terminalsOf(answers, present, io);
  const lacking = [...missing, ...missingOf(answers, present, { key, place })];
  for (const one of lacking) io.error(`platen: ${printable(one)}`);
  if (lacking.length > 0) return exitCode.usage;

  const newKey = key && key.reveal() !== place?.now ? key : undefined;
  const keyTo = { ...(place ?? beside(file)), ...(newKey && vault ? { kind: 'sealed' as const } : {}) };
  applyAnswers(draft, { ...answers, terminals, keyTo: key && keyTo.kind });
  const sealingKey = vault && (await newSealingKey(draft, { file, vault }));
  const config = checkDraft(draft, { file, key: newKey ?? sealedKey(place), env: io.env });

  const writing = {
    file,
    before,
    draft,
    key: newKey,
    sealingKey,
    place: place || key ? keyTo : undefined,
    vault,
    reader,
  };
  const isChanged = await isToWrite(writing);
  if (isChanged) {
    for (const line of differences(writing)) io.out(line);
    const isWanted =
      !isInteractive || (await inDialogue(io, (dialogue) => dialogue.confirm(`Write ${file}?`, 'yes')));
    if (!isWanted) throw new CommandFailed('nothing was written');
    await write(writing, io);
  } else io.out(`${file} says all this already; nothing is changed.`);

  if (answers.wait === false) {
    io.out(`Not waited for. Then: start the agent, and platen status -c ${file}`);
    return exitCode.ok;
  }
  return registerAndPrint({
    ...{ file, config, isChanged, reader, run, io, isInteractive },
    terminals: terminals.length > 0 ? terminals.map(({ id }) => id) : allIds(config),
    testPage: answers.testPage,
    limit: limitOf(answers, isInteractive),
  });
}

const allIds = ({ terminals }: Config): readonly string[] => terminals.map(({ id }) => id);

const usualWait = minutes(10);

function limitOf({ wait }: Answers, isInteractive: boolean) {
  if (typeof wait === 'number') return minutes(wait);
  return isInteractive ? undefined : usualWait;
}

async function inDialogue<T>(
  io: Io,
  talk: (dialogue: Awaited<ReturnType<typeof openDialogue>>) => Promise<T>,
): Promise<T> {
  await using dialogue = await openDialogue({ signal: io.stop });
  return await talk(dialogue);
}

/** What is not said comes from the file, then from the printer; all printers are looked at and told of. */
async function terminalsOf(
  { printers }: Answers,
  present: Present,
  io: Io,
): Promise<{ terminals: readonly TerminalAnswer[]; missing: readonly string[] }> {
  const looks = await Promise.all(printers.map(({ uri }) => lookAtPrinter(uri, { signal: io.stop })));
  const missing: string[] = [];
  const terminals = printers.flatMap(({ id, uri, serialNumber: said }, at): readonly TerminalAnswer[] => {
    const look = looks[at];
    const tell = look?.failure === undefined ? io.out : io.error;
    if (look) tell(printable(`${id}: ${uri} ${lookInWords(look)}`));
    const known = present.terminals.find((one) => one.id === id)?.serialNumber;
    const serialNumber = said ?? known ?? look?.serialNumber;
    if (serialNumber !== undefined) return [{ id, uri, serialNumber }];
    missing.push(
      `the serial number of ${id} is missing: --printer ${id}=${uri},serial=SERIAL, as the service knows it`,
    );
    return [];
  });
  return { terminals, missing };
}

function missingOf(
  answers: Answers,
  present: Present,
  { key, place }: { key: Secret | undefined; place: KeyPlace | undefined },
): readonly string[] {
  const { baseUrl, printers } = answers;
  const ids = [...present.terminals, ...printers].map(({ id }) => id);
  return [
    ...(baseUrl === undefined && present.baseUrl === undefined
      ? ['the address of the service is missing: --base-url URL, or baseUrl in the answers']
      : []),
    ...(key === undefined && !hasKey(present, place)
      ? ['the API key is missing: --api-key-file FILE (- is standard input), or apiKeyFile in the answers']
      : []),
    ...(ids.length === 0
      ? ['a printer is missing: --printer ID=URI,serial=SERIAL, or printers in the answers']
      : []),
    ...printers
      .filter(({ id }, at) => printers.findIndex((one) => one.id === id) < at)
      .map(({ id }) => `${id} is answered for twice: each terminal has one printer`),
    ...readerMistakes(answers, [...new Set(ids)]),
  ];
}

interface Writing extends Reader {
  readonly vault: Vault | undefined;
  readonly file: string;
  /** The file as it was. */
  readonly before: string | undefined;
  readonly draft: ConfigDraft;
  /** A new one alone. */
  readonly key: Secret | undefined;
  readonly sealingKey: Secret | undefined;
  /** Where the key is to be. */
  readonly place: KeyPlace | undefined;
}

async function isToWrite({ file, before, draft, key, place, reader }: Writing): Promise<boolean> {
  if (before === undefined || key || draft.changes.length > 0) return true;
  return (
    !(await isForAgent(file, { reader })) ||
    (place?.kind === 'file' && place.now !== '' && !(await isForAgent(place.path, { reader })))
  );
}

function differences({ file, before, draft, key, place }: Writing): readonly string[] {
  return [
    before === undefined ? `${file} is new:` : `${file} changes:`,
    ...draft.changes.map(({ path, from, to }) => {
      // It may stand in the file itself.
      if (path === 'cloud.apiKey') {
        return `  ${path}: ${place?.kind === 'sealed' ? 'sealed, for this machine alone' : 'in a file of its own'}`;
      }
      return printable(`  ${path}: ${before === undefined || from === undefined ? '' : `${from} -> `}${to}`);
    }),
    ...(key ? ['  the API key: a new one (not shown)'] : []),
  ];
}

async function write(writing: Writing, io: Io): Promise<void> {
  const { file, before, draft, sealingKey, place, vault, reader } = writing;
  const how = { reader, chance: systemChance };
  if (place) await keepKey(place, writing);
  if (sealingKey) await vault?.seal('sealing-key', sealingKey);
  const text = draft.text();
  if (before !== undefined && before !== text) {
    const copy = `${file}.${isoInstant(systemClock.now()).replaceAll(':', '-')}`;
    await replaceFile(copy, before, how);
    io.out(`The file as it was is kept: ${copy}`);
  }
  await replaceFile(file, text, how);
  if (place) await forgetOldKey(place);
}
