/** Ledger and outbox over one database file, without the lock and the device's files around them. */
import { join } from 'node:path';
import { Wake } from '../../src/core/periodic.ts';
import type { Ledger, ReleaseRegister } from '../../src/domain/ports/ledger.ts';
import type { Problem } from '../../src/domain/problem.ts';
import type { Database } from '../../src/store/database.ts';
import { databaseName, openDatabase } from '../../src/store/database.ts';
import { createLedger } from '../../src/store/ledger.ts';
import { migrate } from '../../src/store/migrations.ts';
import type { Outbox } from '../../src/store/outbox.ts';
import { createOutbox } from '../../src/store/outbox.ts';
import { createReleaseRegister } from '../../src/store/release-register.ts';
import type { SteeredClock } from '../support/steered-clock.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface Books extends Disposable {
  readonly directory: string;
  /** What the database called fatal. */
  readonly failures: readonly Problem[];
  readonly clock: SteeredClock;
  readonly wake: Wake;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly ledger: Ledger;
  readonly register: ReleaseRegister;
}

export function openBooks(options: { capacity?: number; directory?: string } = {}): Books {
  using opened = new DisposableStack();
  const failures: Problem[] = [];
  const directory = options.directory ?? opened.use(temporaryDirectory()).path;
  const database = opened.use(
    openDatabase({ path: join(directory, databaseName), onFatal: (problem) => failures.push(problem) }),
  );
  migrate(database);
  const clock = createSteeredClock();
  const wake = new Wake();
  const outbox = createOutbox({ database, clock });
  const ledger = createLedger({
    database,
    outbox,
    clock,
    bootId: 'boot-1',
    onEnd: () => wake.ring(),
    capacity: options.capacity ?? 100_000,
  });
  const register = createReleaseRegister(database);
  const held = opened.move();
  return {
    directory,
    failures,
    clock,
    wake,
    database,
    outbox,
    ledger,
    register,
    [Symbol.dispose]: () => held.dispose(),
  };
}

export const openQuietly = (path: string): Database => openDatabase({ path, onFatal() {} });
