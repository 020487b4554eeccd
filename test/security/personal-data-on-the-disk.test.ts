/**
 * What somebody finds who has the disk, every block of it: the free ones, those of the write-ahead log that was cut, those
 * of files that are gone (INVARIANTS.md I4, I5; SECURITY.md, "What is kept on the machine").
 */
import { createDecipheriv, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { setStage } from '../flows/stage.ts';
import { canariesIn } from '../flows/canaries.ts';
import { unmistakable as person, unmistakableSeed as seed } from '../flows/unmistakable-person.ts';
import { mountRawDisk, needsRawDisk } from '../support/raw-disk.ts';

const namedIn = (image: Buffer): readonly string[] => [
  ...canariesIn(image.toString('latin1'), person),
  ...canariesIn(image.toString('utf16le'), person),
];

/** What can be opened of all that was ever sealed on this disk, with all that lies on it and may be a key. */
function openedIn(image: Buffer): readonly string[] {
  const text = image.toString('latin1');
  const releases = new Set(text.match(/(?<="releaseId":")[0-9a-f]{32}/g));
  const purposes = [...releases].flatMap((id) =>
    ['history', 'job-name', 'marks'].map((kind) => `${kind} of release ${id}`),
  );
  const keys = new Map<string, Buffer>();
  for (let at = 0; at < image.length; at += 32) {
    const key = image.subarray(at, at + 32);
    if (new Set(key).size > 16) keys.set(keyId(key), key);
  }
  return sealedIn(text).flatMap((sealed) => {
    const key = keys.get(sealed.toString('latin1', 8, 16));
    return key ? purposes.flatMap((purpose) => openedBy(key, sealed, purpose) ?? []) : [];
  });
}

/** Base64 of what begins with PLATEN01; where it ends without a sign, the next column may begin with some of its letters. */
const sealedIn = (text: string): readonly Buffer[] =>
  [...new Set(text.match(/(?<=\d\.)UExBVEVOMD[A-Za-z0-9+/]+=*/g))].flatMap((found) =>
    [0, 1, 2, 3].map((beyond) => Buffer.from(found.slice(0, found.length - beyond), 'base64')),
  );

const keyId = (key: Buffer): string =>
  createHmac('sha256', key).update('platen key id').digest().toString('latin1', 0, 8);

function openedBy(key: Buffer, sealed: Buffer, purpose: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(16, 28));
  decipher.setAAD(Buffer.concat([sealed.subarray(0, 16), Buffer.from(purpose)]));
  decipher.setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(28, -16)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

describe('the raw image of the state directory', () => {
  needsRawDisk();

  it('names nobody while history records wait, and once the service has them no key on it opens one (I4, I5)', async () => {
    await using stage = await setStage({ cloud: { seed }, terminal: { session: { autoRelease: true } } });
    const { cloud, reader } = stage;
    using disk = mountRawDisk(join(stage.folder, 'state'), join(stage.folder, 'image'));
    const isBack = cloud.always(
      { path: '/documents/history' },
      standardFaults['status 503 with Retry-After'],
    );
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    reader.tap(person['card number']);
    await agent.told('release ended');
    await agent.told('release ended');
    const waiting = disk.image();
    expect(namedIn(waiting)).toEqual([]);
    // The attack is sharp: what waits can be read by who has the keys.
    expect(canariesIn(openedIn(waiting).join('\n'), person)).toEqual(['user name', 'title']);

    isBack();
    await agent.told('history accepted');
    await agent.told('history accepted');
    expect(namedIn(disk.image())).toEqual([]);
    // The keys of a batch go together, a moment after its records.
    await expect.poll(() => openedIn(disk.image())).toEqual([]);
    await agent.stop();
    expect([namedIn(disk.image()), openedIn(disk.image())]).toEqual([[], []]);
  });
});
