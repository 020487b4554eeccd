/**
 * The durable side of the agent as one object. It opens lock, sealing and database in this order (INVARIANTS.md D13)
 * and closes them in the reverse order. The process that holds it is the only writer of its state directory.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isoInstant, parseInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { Wake } from '../core/periodic.ts';
import type { Secret } from '../core/secret.ts';
import type { ChargingMemory } from '../domain/balance.ts';
import type { DeviceStore } from '../domain/ports/enrollment.ts';
import type { KioskSecrets } from '../domain/ports/kiosk.ts';
import type { KeptDefaults } from '../domain/ports/defaults.ts';
import type { GuestBook } from '../domain/ports/guests.ts';
import type { Languages } from '../domain/ports/languages.ts';
import type { OwedCards } from '../domain/ports/owed-cards.ts';
import type { ClaimBooks } from '../domain/ports/claims.ts';
import type { Ledger, OutboxCounts, ReleaseRegister } from '../domain/ports/ledger.ts';
import type { SettingsStore } from '../domain/ports/settings.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { createChargingMemory, createSettingsStore } from './kept-table.ts';
import { createClaimBooks } from './ledger/claim-books.ts';
import { createCompaction } from './ledger/compaction.ts';
import type { CourierDeps } from './outbox/courier.ts';
import { Courier } from './outbox/courier.ts';
import { putBackDeadLetters } from './outbox/outbox-register.ts';
import type { Database } from './database.ts';
import { hasIdentity, openDeviceStore, setDeviceAside } from './sealed/device-store.ts';
import { setFilesAside } from './files/durable-file.ts';
import { lockInstance, openStateDirectory } from './files/state-directory.ts';
import { openKioskSecrets } from './sealed/kiosk-secrets.ts';
import { openDefaults, openLanguages } from './sealed/kept-by-card.ts';
import { openGuestBook } from './sealed/guests.ts';
import { openOwedCards } from './sealed/owed-cards.ts';
import { openLedgerBooks } from './ledger/ledger-books.ts';
import { AttemptLedger } from './ledger/ledger.ts';
import type { QuarantineFolder } from './ledger/quarantine.ts';
import { createReleaseRegister } from './ledger/release-register.ts';
import { createSealedFiles, filesOfServer } from './sealed/sealed-files.ts';
import { createSealing } from '../core/sealing.ts';
import type { Env } from '../domain/env.ts';
import { configuredKey, keyFromFile } from './sealed/sealing.ts';
import { lastEntryAt, openTimeline } from './files/timeline-files.ts';
import type { Timeline } from './files/timeline-files.ts';

export interface Store extends AsyncDisposable {
  readonly spoolPath: string;
  /** Registration and tokens of the first server, and the identity of the device at all servers. */
  readonly device: DeviceStore;
  /** Registration and tokens of a further server: a token of one server is not valid at another. */
  deviceAt(authUrl: string): DeviceStore;
  /** The folder of an earlier ledger that was damaged; every document of its time may have been printed. */
  readonly quarantine: QuarantineFolder | undefined;
  readonly ledger: Ledger;
  readonly releases: ReleaseRegister;
  readonly claims: ClaimBooks;
  readonly settings: SettingsStore;
  readonly charging: ChargingMemory;
  readonly kiosk: KioskSecrets;
  readonly languages: Languages;
  readonly defaults: KeptDefaults;
  readonly guests: GuestBook;
  readonly owedCards: OwedCards;
  readonly timeline: Timeline;
  /** Wall time of the last entry that was written here before this start; absent if there is none. */
  readonly lastSign: number | undefined;
  outboxCounts(): OutboxCounts;
  /** How long the oldest record that may go has waited; `undefined` if there is none. */
  outboxOldest(): Duration | undefined;
  /**
   * Sends dead letters to the service again: all, or that of the release whose id begins with the text; gives their
   * number. Throws `dead-letter-unknown`. `by` is the user id of the person who asked.
   */
  retryOutbox(releaseId?: string, by?: number): number;
  /** The one courier of this store. */
  courier(
    over: Pick<
      CourierDeps,
      'poster' | 'records' | 'portIdOf' | 'wills' | 'serviceTime' | 'settling' | 'conditions'
    >,
  ): Courier;
}

export interface StoreDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly stateDir: string;
  /** If absent, a key file is made in the state directory. */
  readonly sealingKey?: Secret | undefined;
  readonly clientId?: string | undefined;
  /**
   * Reading or writing failed (`store-failed`). The caller of the failed call gets the problem too, but in any case the
   * agent must end; it recovers at its next start (D12).
   */
  readonly onFatal: (problem: Problem) => void;
}

/**
 * Throws `already-running`, `state-unusable`, `state-newer`, `store-failed` (damaged), `store-refused` (full), and
 * `config-invalid` for an invalid sealing key.
 */
export async function openStore(deps: StoreDeps): Promise<Store> {
  const { clock, chance, log, onFatal } = deps;
  await using opened = new AsyncDisposableStack();

  const { path: directory, spoolPath } = openStateDirectory({ path: deps.stateDir, log });
  opened.use(lockInstance(directory));
  const sealed = openSealed(directory, deps);
  const bootId = machineBootId() ?? chance.uuid();
  const books = opened.use(openLedgerBooks({ directory, clock, chance, bootId, log, onFatal }));
  const { database, chain, outbox, quarantine } = books;
  const compact = createCompaction({ database, chain, clock });
  const wake = new Wake();
  const doubtedUpTo = quarantine?.salvaged?.lastAttempt;

  const held = opened.move();
  return {
    spoolPath,
    ...sealed,
    quarantine,
    ledger: new AttemptLedger({ ...books, clock, wake, doubtedUpTo }),
    releases: createReleaseRegister(database),
    claims: createClaimBooks(database, books.commits),
    settings: createSettingsStore({ database, log }),
    charging: createChargingMemory({ database, log }),
    timeline: openTimeline({ stateDir: directory, clock, log }),
    lastSign: lastSignIn(directory, database),
    outboxCounts: () => outbox.counts(),
    outboxOldest: () => outbox.oldest(),
    retryOutbox(releaseId, by) {
      const records = putBackDeadLetters(database, releaseId);
      log.info('dead letters retried', { records, by });
      wake.ring();
      return records;
    },
    courier: (over) => new Courier({ ...over, outbox, compact, wake, clock, chance, log }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Opens the files beside the database that are sealed with the device's key. */
function openSealed(
  directory: string,
  { sealingKey, clientId, clock, chance, log, onFatal }: StoreDeps,
): Pick<Store, 'device' | 'deviceAt' | 'kiosk' | 'languages' | 'defaults' | 'guests' | 'owedCards'> {
  const key = sealingKey
    ? configuredKey(sealingKey)
    : keyFromFile({
        directory,
        sealedBefore: () => hasIdentity(directory),
        onLost(path) {
          setDeviceAside({ directory, clock, log }, path);
          setFilesAside([path], isoInstant(clock.now()));
        },
        chance,
      });
  const sealing = createSealing({ key, chance });
  const files = createSealedFiles({ directory, sealing, log, onFatal });
  // No print depends on these files: if one fails, the agent goes on.
  const dispensable = createSealedFiles({ directory, sealing, log, onFatal: () => {} });
  const device = openDeviceStore({ directory, files, clientId, clock, chance, log });
  return {
    device,
    deviceAt: (authUrl) =>
      openDeviceStore({
        directory,
        files: filesOfServer(files, authUrl),
        clientId,
        knownAs: device.facts().identity,
        clock,
        chance,
        log,
      }),
    kiosk: openKioskSecrets({ directory, files, chance, onFatal }),
    languages: openLanguages({ files: dispensable, chance }),
    defaults: openDefaults({ files: dispensable, chance }),
    guests: openGuestBook(dispensable),
    owedCards: openOwedCards({ directory, files: dispensable, chance, log }),
  };
}

/**
 * From the timeline, whose last lines a power cut may lose, and from the ledger. A source that cannot be read is
 * ignored.
 */
function lastSignIn(directory: string, database: Database): number | undefined {
  try {
    const last = database
      .prepare('SELECT at FROM event WHERE attempt IS NOT NULL ORDER BY seq DESC LIMIT 1')
      .get();
    const signs = [lastEntryAt(directory), last?.['at']].flatMap((at) =>
      typeof at === 'string' ? (parseInstant(at) ?? []) : [],
    );
    return signs.length === 0 ? undefined : Math.max(...signs);
  } catch {
    return undefined;
  }
}

/** Linux gives each boot an id. On other systems each start of the process counts as a boot. */
function machineBootId(): string | undefined {
  const path = '/proc/sys/kernel/random/boot_id';
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}
