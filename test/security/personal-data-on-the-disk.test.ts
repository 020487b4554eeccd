/**
 * What somebody finds who has the disk, every block of it: the free ones, those of the write-ahead log that was cut, those
 * of files that are gone (INVARIANTS.md I4, I5; SECURITY.md, "What is kept on the machine").
 */
import { createDecipheriv, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { hours } from '../../src/core/duration.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { openOwedCards } from '../../src/store/sealed/owed-cards.ts';
import { createSealedFiles } from '../../src/store/sealed/sealed-files.ts';
import { keyFromFile } from '../../src/store/sealed/sealing.ts';
import { setStage } from '../support/agent/stage.ts';
import { canariesIn } from '../support/agent/canaries.ts';
import { unmistakable as person, unmistakableSeed as seed } from '../support/agent/unmistakable-person.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { mountRawDisk, needsRawDisk } from '../support/raw-disk.ts';
import { recordLog } from '../support/recorded-log.ts';

const namedIn = (image: Buffer): readonly string[] => [
  ...canariesIn(image.toString('latin1'), person),
  ...canariesIn(image.toString('utf16le'), person),
];

/** What can be opened of all that was ever sealed on this disk, with all that lies on it and may be a key. */
function openedIn(image: Buffer): readonly string[] {
  const text = image.toString('latin1');
  const keys = keysIn(image);
  const releases = new Set(text.match(/(?<="releaseId":")[0-9a-f]{32}/g));
  const purposes = [...releases].flatMap((id) =>
    ['history', 'job-name', 'marks'].map((kind) => `${kind} of release ${id}`),
  );
  return sealedIn(text).flatMap((sealed) => {
    const key = keys.get(sealed.toString('latin1', 8, 16));
    return key ? purposes.flatMap((purpose) => openedBy(key, sealed, purpose) ?? []) : [];
  });
}

/** All that may be one, by its id. */
function keysIn(image: Buffer): ReadonlyMap<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (let at = 0; at < image.length; at += 32) {
    const key = image.subarray(at, at + 32);
    if (new Set(key).size > 16) keys.set(keyId(key), key);
  }
  return keys;
}

/** The cards in every list of owed ones that lies on this disk, for who has the gateway's own key besides. */
function owedCardsIn(image: Buffer, sealingKey: Buffer): readonly string[] {
  const keys = keysIn(image);
  return blocksIn(image).flatMap((block) => {
    const list = openedBy(sealingKey, block, 'owed-cards');
    const { owed } = JSON.parse(list ?? '{"owed":[]}') as {
      owed: { id: number; providerId: number; sealed: string }[];
    };
    return owed.flatMap(({ id, providerId, sealed }) => {
      const bytes = Buffer.from(sealed, 'base64');
      const key = keys.get(bytes.toString('latin1', 8, 16));
      return (key && openedBy(key, bytes, `cards owed to user ${id} of provider ${providerId}`)) ?? [];
    });
  });
}

/** Of the file system. */
const blockBytes = 1024;

/** Sealed files of one block. Zeros come behind the file, which may end in some of its own. */
function blocksIn(image: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < image.length; at += blockBytes) {
    const block = image.subarray(at, at + blockBytes);
    if (block.toString('latin1', 0, 8) !== 'PLATEN01') continue;
    const end = block.findLastIndex((octet) => octet !== 0) + 1;
    found.push(...[0, 1, 2, 3].map((zeros) => block.subarray(0, end + zeros)));
  }
  return found;
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

  it('names no card while some are to be given back, and no key on it opens one when they are (I4, I5)', () => {
    using folder = temporaryDirectory();
    using disk = mountRawDisk(join(folder.path, 'state'), join(folder.path, 'image'));
    const directory = join(folder.path, 'state');
    const key = keyFromFile({ directory, sealedBefore: () => false, onLost() {}, chance: systemChance });
    const sealing = createSealing({ key, chance: systemChance });
    const { log } = recordLog();
    const files = createSealedFiles({ directory, sealing, log, onFatal: () => {} });
    const owed = openOwedCards({ directory, files, chance: systemChance, log });
    const owner = { id: 17, providerId: 3 };
    const card = { 'card number': person['card number'] };
    const opened = () => canariesIn(owedCardsIn(disk.image(), key.export()).join(), card);
    owed.keep({ id: 18, providerId: 3 }, [new CardNumber('04B5C6D7E8')]);
    owed.keep(owner, [new CardNumber(card['card number'])]);
    expect(namedIn(disk.image())).toEqual([]);
    // The attack is sharp: what waits can be read by who has both keys.
    expect(opened()).toEqual(['card number']);
    owed.age(hours(1));
    owed.forget(owner);
    expect([namedIn(disk.image()), opened()]).toEqual([[], []]);
    expect(owed.all()).toHaveLength(1);
  });
});
