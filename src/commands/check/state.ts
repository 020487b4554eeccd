/** `platen check` for the state of the agent: the directory, the room on its disk, the ledger. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoSaid } from '../../core/errno.ts';
import { counted } from '../../core/text/counted.ts';
import { complaintAboutRoom, inMegabytes, roomOf } from '../../domain/problem/disk-room.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { ownersInWords } from '../../config/file-access.ts';
import type { LedgerSight } from '../../store/ledger/audit.ts';
import { lookAtLedger } from '../../store/ledger/audit.ts';
import type { Step } from './examination.ts';

export function examineState(stateDir: string): readonly Step[] {
  const needs = ['state directory'];
  let sight: LedgerSight | undefined;
  return [
    { what: 'state directory', kind: 'state directory', examine: () => examineDirectory(stateDir) },
    { what: 'room', kind: 'room', needs, examine: () => examineRoom(stateDir) },
    {
      what: 'ledger',
      kind: 'ledger',
      needs,
      async examine() {
        sight = lookAtLedger({ stateDir });
        return judgeLedger(sight);
      },
    },
    {
      what: 'history records',
      kind: 'history records',
      needs: ['ledger'],
      examine: async () => judgeOutbox(sight?.outbox),
    },
  ];
}

/** The agent makes a missing folder at its first start. So the nearest existing parent counts. */
async function nearestOf(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : nearestOf(dirname(path));
}

async function examineDirectory(stateDir: string): Promise<string> {
  const existing = await nearestOf(stateDir);
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = errnoSaid(cause);
    const owners = code === 'EACCES' ? `: ${ownersInWords(existing)}` : '';
    throw new Error(`${existing} cannot be written (${code})${owners}; ${adviceOn(code)}`, { cause });
  }
  if (!(await stat(existing)).isDirectory())
    throw new Error(`${existing} is not a directory. Correct stateDir`);
  return existing === stateDir ? stateDir : `${stateDir} is created at the first start`;
}

const adviceOn = (code: string): string =>
  code === 'EROFS'
    ? 'its disk is mounted read-only, perhaps after a fault. Read dmesg, then mount it for writing'
    : 'give it to the user that runs platen, and run this command as that user';

async function examineRoom(stateDir: string): Promise<string> {
  const existing = await nearestOf(stateDir);
  const room = roomOf(await statfs(existing));
  const complaint = complaintAboutRoom(room, existing);
  const { octets, inodes } = room;
  const free = `${inMegabytes(octets)} MB free${inodes === undefined ? '' : `, ${inodes} inodes`}`;
  if (complaint?.severity === 'error') throw new Problem('disk-filling', `${free}: ${complaint.detail}`);
  return complaint ? `${free}: ${complaint.detail}` : free;
}

function judgeLedger(sight: LedgerSight | undefined): string {
  if (!sight) return 'none before the first start';
  const { fault, releases, quarantine } = sight;
  if (fault !== undefined) {
    throw new Error(
      `${fault}. Check the disk, and restart the agent. It moves this file to another folder and begins a new one`,
    );
  }
  if (quarantine !== undefined) {
    const reason = join(quarantine, 'reason.txt');
    throw new Error(
      `an earlier ledger was damaged, so Platen asks people before each print. Read ${reason}, check the disk, move the folder to another place, and restart`,
    );
  }
  return `undamaged, ${counted(releases, 'release')}`;
}

function judgeOutbox(outbox: LedgerSight['outbox'] | undefined): string {
  if (!outbox) return 'none yet';
  const { waiting, held, deadLetters } = outbox;
  const counts = `${waiting} waiting, ${held} held, ${counted(deadLetters, 'dead letter')}`;
  if (deadLetters > 0) {
    throw new Error(
      `${counts}: the service refuses ${deadLetters === 1 ? 'it' : 'them'} for good. platen outbox list shows the reasons`,
    );
  }
  return counts;
}
