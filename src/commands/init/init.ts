/**
 * `platen init`: three answers (service, key, printers) lead to a terminal that is ready. It checks the service and the
 * key, writes the configuration, starts an agent if none runs, tells what the administrator of the service must
 * approve, and prints a test page. A second run with the same answers changes nothing. It asks questions only if a
 * person sits at a terminal, and never with `--yes`. With `--dry-run` it only shows what it would do.
 */
import { resolve } from 'node:path';
import { draftOf } from '../../config/config-edit.ts';
import type { Config } from '../../config/schema/config.ts';
import { serviceUrl } from '../../config/schema/values.ts';
import { minutes } from '../../core/duration.ts';
import { printable } from '../../core/text/printable.ts';
import type { Secret } from '../../core/secret.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { becomeServiceUser, serviceUser } from '../service-user.ts';
import type { Answers } from './answers.ts';
import { answersOf } from './answers.ts';
import type { TerminalAnswer } from './config.ts';
import { applyAnswers, checkDraft, keyFileOf, newFile, presentIn } from './config.ts';
import type { Dialogue } from './dialogue.ts';
import { openDialogue } from './dialogue.ts';
import type { DryRun } from './printers/dry-run.ts';
import { showWithoutWriting } from './printers/dry-run.ts';
import { textOf } from './file.ts';
import { registerAndPrint } from './finish.ts';
import { beside, hasKey, keyFrom, keyPlace, sealedKey } from './service/key.ts';
import type { Machine } from './machine.ts';
import { mistakesIn, unsaidIn } from './missing.ts';
import type { InitOptions } from './options.ts';
import { usualConfig } from '../usual-options.ts';
import { looksAsTable } from './printers/printer-looks.ts';
import { runProgramOf } from './programs.ts';
import type { Interview, Interviewed, TryService } from './interview.ts';
import { interview } from './questions.ts';
import { newSealingKey, openVault } from './service/sealed.ts';
import { tryAddresses } from './service/both-addresses.ts';
import { inWords, isAccepted, lookWhereRootMay, refuseUnlessThere } from './service/service-answers.ts';
import { terminalsOf } from './printers/terminals.ts';
import type { Writing } from './writing.ts';
import { differences, isToWrite, write } from './writing.ts';

export async function initCommand(flags: InitOptions, io: Io): Promise<number> {
  const machine = await machineOf(flags, io);
  const given = answersOf(flags, machine);
  const givenKey = await keyFrom(given, io);
  if (flags.dryRun) {
    const key = givenKey;
    const show: DryRun['show'] = (terminals) => showChanges(machine, { answers: given, key, terminals });
    return showWithoutWriting(machine, { answers: given, key, json: flags.json === true, show });
  }
  const isInteractive =
    !flags.yes && process.stdin.isTTY && process.stdout.isTTY && process.platform !== 'win32';
  const interviewed: Interviewed = isInteractive
    ? await inDialogue(io, (dialogue) => interview(questionsAt(machine, { given, key: givenKey, dialogue })))
    : { answers: given, key: givenKey, isServiceTried: false, isAsked: false };
  const { answers, key } = interviewed;
  refuseKeyElsewhere(machine, key);

  const isList = flags.from !== undefined;
  const tells = isList ? 'how far' : interviewed.isAsked ? 'nothing' : 'each';
  const { terminals, looks, missing } = await terminalsOf(answers, machine.present, { io, tells });
  if (isList) for (const line of looksAsTable(answers.printers, terminals, looks)) io.out(line);
  const lacking = [...missing, ...unsaidIn(answers, machine, key), ...mistakesIn(answers, machine)];
  for (const one of lacking) io.error(`platen: ${printable(one)}`);
  if (lacking.length > 0) return exitCode.usage;

  const whole = await withBothAddresses(machine, answers, key);
  const { config, writing } = await prepared(machine, { answers: whole, terminals, key });
  const isChanged = await isToWrite(writing);
  if (isChanged) {
    if (!interviewed.isServiceTried && isServiceNew(writing)) {
      const look = await lookWhereRootMay(config, machine);
      refuseUnlessThere(look, { io, isWaitedFor: answers.wait !== false });
    }
    await writeShown(machine, { writing, isAsked: isInteractive });
  } else io.out(`${machine.file} already contains all of this. Nothing was changed.`);

  const changed = writing.draft.changes.map(({ path }) => path);
  if (answers.wait === false) {
    becomeServiceUser();
    if (isChanged) await noteDeed(config, io, { action: 'init', changed });
    io.out(`Platen does not wait. Next: start the agent, then run platen status -c ${machine.file}`);
    return exitCode.ok;
  }
  return registerAndPrint({
    ...machine,
    config,
    isChanged,
    changed,
    isInteractive,
    terminals: terminals.length > 0 ? terminals.map(({ id }) => id) : allIds(config),
    // A list may have hundreds of printers, and nobody wants to answer for each of them.
    testPage: answers.testPage ?? (isList ? false : undefined),
    limit: limitOf(answers, isInteractive),
  });
}

async function machineOf(flags: InitOptions, io: Io): Promise<Machine> {
  const file = resolve(flags.config);
  const reader = serviceUser();
  const run = runProgramOf(io.env);
  const before = await textOf(file, { reader });
  const start = before ?? newFile({ stateDir: file === usualConfig ? '/var/lib/platen' : 'state' });
  const draft = draftOf(file, start);
  const present = presentIn(draft);
  const vault = await openVault({ file, run, reader, io });
  const place = await keyPlace(file, present, { reader, vault });
  return { file, before, start, draft, present, vault, place, reader, run, io };
}

function refuseKeyElsewhere({ file, present, place }: Machine, key: Secret | undefined): void {
  const elsewhere = keyFileOf(present.apiKey);
  if (!key || place || elsewhere === undefined) return;
  throw new CommandFailed(`${file} reads the API key from ${elsewhere}. Put the key there yourself`);
}

/** The new configuration, checked in the same way as by the agent. Throws `ConfigInvalid`. */
async function prepared(
  machine: Machine,
  {
    answers,
    terminals,
    key,
  }: { answers: Answers; terminals: readonly TerminalAnswer[]; key: Secret | undefined },
): Promise<{ readonly config: Config; readonly writing: Writing }> {
  const { draft, file, before, place, vault, reader, io } = machine;
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
    vault,
    reader,
    place: place || key ? keyTo : undefined,
  };
  return { config, writing };
}

/** For a new service whose second address was not given. */
async function withBothAddresses(
  machine: Machine,
  answers: Answers,
  key: Secret | undefined,
): Promise<Answers> {
  const { baseUrl, authUrl } = answers;
  const { present } = machine;
  if (baseUrl === undefined || authUrl !== undefined || baseUrl === present.baseUrl) return answers;
  // The schema reports a text that is no address.
  if (!serviceUrl.safeParse(baseUrl).success) return answers;
  const given = { present, tryService: tryServiceAt(machine) };
  return { ...answers, authUrl: (await tryAddresses(given, { baseUrl, authUrl, key })).authUrl };
}

/** Other changes are no reason to call the service. */
const isServiceNew = ({ before, key, draft }: Writing): boolean =>
  before === undefined || key !== undefined || draft.changes.some(({ path }) => path.startsWith('cloud.'));

/** Returns whether init would write the file. */
async function showChanges(machine: Machine, given: Parameters<typeof prepared>[1]): Promise<boolean> {
  const answers = await withBothAddresses(machine, given.answers, given.key);
  const { config, writing } = await prepared(machine, { ...given, answers });
  const { io, file } = machine;
  if (!(await isToWrite(writing))) {
    io.out(`${file} already contains all of this.`);
    return true;
  }
  const look = await lookWhereRootMay(config, machine);
  if (look?.faults.length === 0) io.out(inWords(look));
  for (const { sentence } of look?.faults ?? []) io.out(printable(sentence));
  for (const line of differences(writing)) io.out(line);
  return !look || !isServiceNew(writing) || isAccepted(look, { isWaitedFor: answers.wait !== false });
}

async function writeShown(
  { file, present, io }: Machine,
  { writing, isAsked }: { readonly writing: Writing; readonly isAsked: boolean },
): Promise<void> {
  for (const line of differences(writing)) io.out(line);
  // A first configuration replaces nothing, so no question is needed.
  const isWanted =
    !isAsked ||
    present.baseUrl === undefined ||
    (await inDialogue(io, (dialogue) => dialogue.confirm(`Write ${file}?`, 'yes')));
  if (!isWanted) throw new CommandFailed('nothing was written');
  await write(writing, io);
  io.out(`Written: ${file}`);
}

function questionsAt(
  machine: Machine,
  { given, ...asking }: { readonly given: Answers } & Pick<Interview, 'key' | 'dialogue'>,
): Interview {
  const { present, place, run, io } = machine;
  return {
    answers: given,
    present,
    ...asking,
    run,
    signal: io.stop,
    isKeyThere: hasKey(present, place),
    tryService: tryServiceAt(machine),
  };
}

/** The printers are not known yet. The look at the service does not need them. */
function tryServiceAt(machine: Machine): TryService {
  const { file, start, place, io } = machine;
  return ({ baseUrl, authUrl, key }) => {
    const trial = draftOf(file, start);
    applyAnswers(trial, { baseUrl, authUrl, readers: [], terminals: [], keyTo: key && 'file' });
    trial.set({ path: ['terminals'], value: [] });
    const config = checkDraft(trial, { file, key: key ?? sealedKey(place), env: io.env });
    return lookWhereRootMay(config, { ...machine, draft: trial });
  };
}

const allIds = ({ terminals }: Config): readonly string[] => terminals.map(({ id }) => id);

const usualWait = minutes(10);

function limitOf({ wait }: Answers, isInteractive: boolean) {
  if (typeof wait === 'number') return minutes(wait);
  return isInteractive ? undefined : usualWait;
}

async function inDialogue<T>(io: Io, talk: (dialogue: Dialogue) => Promise<T>): Promise<T> {
  await using dialogue = await openDialogue({ signal: io.stop });
  return await talk(dialogue);
}
