/** Ledger and outbox over one database file, without the lock and the device's files around them. */
import { Wake } from '../../../src/core/periodic.ts';
import type { Ledger, ReleaseRegister } from '../../../src/domain/ports/ledger.ts';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import type { Database } from '../../../src/store/database.ts';
import { openDatabase } from '../../../src/store/database.ts';
import type { EventChain } from '../../../src/store/event-chain.ts';
import { openLedgerBooks } from '../../../src/store/ledger/ledger-books.ts';
import { systemChance } from '../../../src/core/chance.ts';
import type { GroupCommit } from '../../../src/store/ledger/group-commit.ts';
import { AttemptLedger } from '../../../src/store/ledger/ledger.ts';
import { Outbox } from '../../../src/store/outbox/outbox.ts';
import type { OutboxSize } from '../../../src/store/outbox/outbox-room.ts';
import type { QuarantineFolder } from '../../../src/store/ledger/quarantine.ts';
import { createReleaseRegister } from '../../../src/store/ledger/release-register.ts';
import { recordLog } from '../recorded-log.ts';
import type { SteeredClock } from '../steered-clock.ts';
import { createSteeredClock } from '../steered-clock.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

export interface Books extends Disposable {
  readonly directory: string;
  /** What the database called fatal. */
  readonly failures: readonly Problem[];
  readonly clock: SteeredClock;
  readonly wake: Wake;
  readonly database: Database;
  readonly chain: EventChain;
  readonly outbox: Outbox;
  readonly ledger: Ledger;
  readonly register: ReleaseRegister;
  readonly quarantine: QuarantineFolder | undefined;
}

export function openBooks(
  options: {
    capacity?: OutboxSize;
    directory?: string;
    clock?: SteeredClock;
    bootId?: string;
    /** In the place of the disk, which takes its time. */
    durable?: GroupCommit['durable'];
  } = {},
): Books {
  using opened = new DisposableStack();
  const failures: Problem[] = [];
  const directory = options.directory ?? opened.use(temporaryDirectory()).path;
  const clock = options.clock ?? createSteeredClock();
  const opening = {
    directory,
    clock,
    chance: systemChance,
    log: recordLog().log,
    bootId: options.bootId ?? 'boot-1',
  };
  const trusted = opened.use(openLedgerBooks({ ...opening, onFatal: (problem) => failures.push(problem) }));
  const { database, chain, rowKeys, quarantine } = trusted;
  const commits = { ...trusted.commits, ...(options.durable ? { durable: options.durable } : {}) };
  const wake = new Wake();
  const { capacity } = options;
  const outbox = new Outbox({
    database,
    chain,
    commits,
    rowKeys,
    clock,
    bootId: opening.bootId,
    ...(capacity ? { capacity } : {}),
  });
  const ledger = new AttemptLedger({
    ...trusted,
    commits,
    outbox,
    clock,
    wake,
    doubtedUpTo: quarantine?.salvaged?.lastAttempt,
  });
  const register = createReleaseRegister(database);
  const held = opened.move();
  return {
    directory,
    failures,
    clock,
    wake,
    database,
    chain,
    outbox,
    ledger,
    register,
    quarantine,
    [Symbol.dispose]: () => held.dispose(),
  };
}

export const openQuietly = (path: string): Database => openDatabase({ path, onFatal() {} });
