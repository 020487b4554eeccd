/** How long a record is held runs on the machine's own time, over every restart, whatever the wall clock tells (D14, I2). */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Duration } from '../../src/core/duration.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { databaseName } from '../../src/store/database.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { openBooks } from '../support/store/books.ts';
import { always, startCourier, takes } from './courier-stage.ts';
import { release, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const threeDays = hours(72);

describe('a wall clock that is wrong when the page comes out', () => {
  test('I2: three days ahead: the completed record goes at once when the clock is set right, before later ones', async () => {
    await using stage = startCourier();
    stage.answer(always('cloud-unreachable'));
    stage.clock.setAhead(threeDays);
    release(stage.ledger, 'CONFIRMED', { release: 1 });
    stage.clock.setAhead(hours(-72));
    release(stage.ledger, 'CONFIRMED', { release: 2 });
    await stage.pass();
    expect(stage.outbox.counts()).toEqual({ waiting: 2, held: 0, deadLetters: 0 });
    expect(stage.outbox.oldest()).toBe(0);
    stage.answer(takes);
    await stage.pass(seconds(5));
    expect(stage.taken).toEqual([1, 2]);
  });

  test('D14: three days behind: an unknown one still waits for its hour when the clock is set right', async () => {
    await using stage = startCourier();
    stage.clock.setAhead(hours(-72));
    release(stage.ledger, 'UNKNOWN', { release: 1 });
    stage.clock.setAhead(threeDays);
    await stage.pass(minutes(59));
    expect([stage.taken, stage.outbox.counts().held]).toEqual([[], 1]);
    await stage.pass(minutes(1));
    expect(stage.taken).toEqual([1]);
  });

  test("D14: ahead: an unknown one goes after its hour, and at once at a person's word", async () => {
    await using stage = startCourier();
    stage.clock.setAhead(threeDays);
    release(stage.ledger, 'UNKNOWN', { release: 1 });
    const reported = release(stage.ledger, 'UNKNOWN', { release: 2 });
    stage.clock.setAhead(hours(-72));
    stage.ledger.confirmedByPerson(reported);
    await stage.pass(minutes(59));
    expect(stage.taken).toEqual([2]);
    await stage.pass(minutes(1));
    expect(stage.taken).toEqual([2, 1]);
  });
});

describe('D14: what is left of a hold', () => {
  /** An agent that runs so long beside an unknown release; gives the clock of its machine. */
  async function heldIn(directory: string, span: Duration) {
    await using stage = startCourier({ directory });
    release(stage.ledger, 'UNKNOWN', { release: 1 });
    await stage.pass(span);
    return stage.clock;
  }

  test('goes on at the next start after a reboot, whatever the clock says by then', async () => {
    using directory = temporaryDirectory();
    await heldIn(directory.path, minutes(20));
    const clock = createSteeredClock();
    clock.setAhead(threeDays);
    await using stage = startCourier({ directory: directory.path, clock, bootId: 'boot-2' });
    await stage.pass(minutes(39));
    expect(stage.taken).toEqual([]);
    await stage.pass(minutes(1));
    expect(stage.taken).toEqual([1]);
  });

  test('goes on while no agent runs and the machine does', async () => {
    using directory = temporaryDirectory();
    const clock = await heldIn(directory.path, minutes(20));
    clock.setAhead(hours(-72));
    await clock.advance(minutes(30));
    await using stage = startCourier({ directory: directory.path, clock });
    await stage.pass(minutes(9));
    expect(stage.taken).toEqual([]);
    await stage.pass(minutes(1));
    expect(stage.taken).toEqual([1]);
  });

  test('is at most a minute longer after a power cut, and never shorter', async () => {
    using directory = temporaryDirectory();
    await using cut = startCourier({ directory: directory.path });
    release(cut.ledger, 'UNKNOWN', { release: 1 });
    await cut.pass(minutes(20.9));
    using found = openBooks({ directory: directory.path, bootId: 'boot-2' });
    const left = found.outbox.heldFor() ?? 0;
    expect(left).toBeGreaterThanOrEqual(minutes(39.1));
    expect(left).toBeLessThanOrEqual(minutes(40.1));
    expect(cut.outbox.heldFor()).toBe(minutes(39.1));
  });

  test('is as long as at first after a power cut at once, however long the machine ran before', async () => {
    using directory = temporaryDirectory();
    await using cut = startCourier({ directory: directory.path });
    await cut.pass(hours(100));
    release(cut.ledger, 'UNKNOWN', { release: 1 });
    using found = openBooks({ directory: directory.path, bootId: 'boot-2' });
    expect(found.outbox.heldFor()).toBe(hours(1));
  });

  test('is not noted where nothing is held: no disk is written to for it', async () => {
    await using stage = startCourier();
    const noted = () => stage.database.prepare('SELECT milliseconds FROM hold_time').get();
    await stage.pass(hours(2));
    expect(noted()).toEqual({ milliseconds: 0 });
  });

  test('T31: a noted time that has changed sends the books to quarantine', () => {
    using directory = temporaryDirectory();
    openBooks({ directory: directory.path })[Symbol.dispose]();
    {
      using database = new DatabaseSync(join(directory.path, databaseName));
      database.exec('UPDATE hold_time SET milliseconds = 99');
    }
    using books = openBooks({ directory: directory.path });
    expect(books.quarantine?.reason).toBe('a row of the table hold_time has changed');
  });

  test('T31: is not known of damaged books: what is unknown there waits a day, what is completed goes', () => {
    using directory = temporaryDirectory();
    {
      using books = openBooks({ directory: directory.path });
      release(books.ledger, 'CONFIRMED', { release: 1 });
      release(books.ledger, 'UNKNOWN', { release: 2 });
    }
    {
      using database = new DatabaseSync(join(directory.path, databaseName));
      database.exec('UPDATE hold_time SET milliseconds = 99');
    }
    using books = openBooks({ directory: directory.path });
    expect(books.outbox.heldFor()).toBe(hours(24));
    expect(books.outbox.next([])).toMatchObject({ releaseId: releaseId(1) });
  });
});
