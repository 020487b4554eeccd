/**
 * I1, I2 against a power cut, by the kernel's word: strace(1) tells in which order the agent writes to its log, its anchor,
 * the printer and the service. What a power cut leaves is what was synced, and nothing is sent that the books on the disk
 * do not tell of.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDocument, protocols, setKillStage } from '../../campaign/kill-stage.ts';
import type { Protocol } from '../../campaign/kill-stage.ts';
import { startMortalAgent } from '../../support/agent/mortal-agent.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import { needsPeer } from '../../support/needs.ts';

/** The paths of descriptors are shown, and so much of the strings that a document's first line is among them. */
const recordingInto = (file: string): string[] => [
  '-f',
  '-qq',
  '-y',
  '-s',
  '3000',
  '-o',
  file,
  '-e',
  'trace=fdatasync,fsync,pwrite64,write,writev,sendto',
];

/** One release of a running agent, a system call a line. */
async function recordRelease(protocol: Protocol): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-power-'));
  try {
    const file = join(folder, 'calls');
    await using stage = await setKillStage(protocol);
    addDocument(stage, 'Recorded.pdf', 0);
    await using agent = startMortalAgent(stage.configFile, recordingInto(file));
    await agent.told('terminal ready', 'reader up');
    stage.reader.tap(aliceCard);
    await agent.told('session closed', 'history accepted', 'release ended');
    await agent.kill();
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is looked for in a line of strace(1); a call that took its time has its end in a line of its own. */
const deeds: Readonly<Record<string, RegExp>> = {
  'log written': /pwrite64\(\d+<[^>]*platen\.db-wal>/,
  'anchor written': /(?:pwrite64|write)\(\d+<[^>]*ledger-head>/,
  document: /%PDF/,
  'record posted': /POST \/[^ ]*\/documents\/history /,
  'document deleted': /DELETE \/[^ ]*\/documents\//,
};
const syncOf = /(?:fdatasync|fsync)\(\d+<[^>]*(platen\.db-wal|ledger-head)>/;

/** The deeds in their order; a sync counts when it has ended. */
function deedsIn(recording: string): string[] {
  const syncing = new Map<string, string>();
  return recording.split('\n').flatMap((line) => {
    const thread = line.split(' ', 1)[0] ?? '';
    const file = syncOf.exec(line)?.[1];
    if (file !== undefined && line.includes('<unfinished ...>')) {
      syncing.set(thread, file);
      return [];
    }
    const begun = /<\.\.\. (?:fdatasync|fsync) resumed>/.test(line) ? syncing.get(thread) : undefined;
    const synced = begun ?? file;
    if (synced !== undefined) return [synced === 'ledger-head' ? 'anchor synced' : 'log synced'];
    return Object.keys(deeds).filter((deed) => deeds[deed]?.test(line));
  });
}

/** Between two deeds that the world sees: the log, its sync, the anchor, its sync, in this order. */
const becomesDurable = /log written.*log synced.*anchor written.*anchor synced/;

needsPeer('strace', 'strace')('a power cut finds the books as far as', () => {
  it.each(protocols)('what went to the printer and to the service: %s', async (protocol) => {
    const done = deedsIn(await recordRelease(protocol));
    const document = done.lastIndexOf('document');
    const seen = ['record posted', 'document deleted'].map((deed) => done.indexOf(deed, document));
    const [before, after] = [done.slice(0, document), done.slice(document, Math.min(...seen))];
    expect(Math.min(document, ...seen)).toBeGreaterThan(0);
    expect(before.join()).toMatch(becomesDurable);
    expect(after.join()).toMatch(becomesDurable);
  });
});
