/**
 * Opens the parts that an agent needs before it is wired: its store, its spool and its conditions. It also counts the
 * starts, which decide on safe mode.
 */
import { printersOf } from '../config/printers.ts';
import type { Config } from '../config/schema/config.ts';
import { isoInstant } from '../core/clock.ts';
import type { RootLog } from '../core/log.ts';
import { createSparingLog } from '../core/sparing-log.ts';
import type { Env } from '../domain/env.ts';
import type { Conditions } from '../domain/condition.ts';
import type { Spool } from '../domain/ports/printing.ts';
import type { Health } from '../operations/health.ts';
import { createHealth } from '../operations/health.ts';
import { emptyPlainFolder, plainFolderIn, windowsScheme } from '../printing/spooler/windows-spooler.ts';
import { openSpool } from '../printing/spool/spool.ts';
import type { ConditionList } from '../status/conditions.ts';
import { createConditions } from '../status/conditions.ts';
import type { LastDay } from '../status/last-day.ts';
import { createLastDay } from '../status/last-day.ts';
import { recordTimeline } from '../status/timeline-recorder.ts';
import { countStart, countSuspects } from '../store/files/crash-notes.ts';
import type { Start } from '../store/files/crash-notes.ts';
import { timelineOf } from '../store/files/timeline-files.ts';
import type { QuarantineFolder } from '../store/ledger/quarantine.ts';
import type { Store } from '../store/store.ts';
import { openStore } from '../store/store.ts';
import type { SafeMode } from './safe-mode.ts';
import { createSafeMode } from './safe-mode.ts';

export interface Ground {
  readonly born: { readonly pid: number; readonly startedAt: string };
  readonly store: Store;
  readonly spool: Spool;
  readonly conditions: ConditionList;
  readonly lastDay: LastDay;
  readonly start: Start;
  readonly safeMode: SafeMode;
  readonly health: Health;
  /** Aborts if the store fails. */
  readonly fatal: AbortSignal;
}

interface GroundDeps extends Pick<Env, 'clock' | 'chance'> {
  readonly config: Config;
  readonly log: RootLog;
}

/** The stack disposes of everything opened here. If a later step of the start fails, this start is not counted. */
export async function layGround(deps: GroundDeps, opened: AsyncDisposableStack): Promise<Ground> {
  const { config, clock, chance, log } = deps;
  const { stateDir, device } = config;
  const fatal = new AbortController();
  const store = opened.use(
    await openStore({
      stateDir,
      sealingKey: device.sealingKey,
      clientId: device.clientId,
      clock,
      chance,
      log,
      onFatal: (problem) => fatal.abort(problem),
    }),
  );
  opened.use(recordTimeline({ log, clock, add: store.timeline.add }));
  const lastDay = opened.use(
    createLastDay({ timeline: (from) => timelineOf({ stateDir, from }), log, clock }),
  );
  const conditions = createConditions({ clock, log: createSparingLog({ log, clock }) });
  const start = countStart({ stateDir, clock, log });
  // A start that fails does not count as a crash: no document was in hand.
  using failing = new DisposableStack();
  failing.defer(start.forget);
  const suspects = countSuspects({
    stateDir,
    wasCrash: start.isAfterCrash,
    clock,
    log,
    open: store.ledger.open().map(({ documentUuid }) => documentUuid),
  });
  const safeMode = opened.use(createSafeMode({ start, suspects, conditions, clock }));
  // A file lies unencrypted only while the spooler of Windows reads it (I4). A crash may have left some.
  if (config.terminals.flatMap(printersOf).some(({ uri }) => uri.startsWith(windowsScheme))) {
    await emptyPlainFolder(plainFolderIn(stateDir));
  }
  const spool = opened.use(await openSpool({ directory: store.spoolPath, chance, clock }));
  failing.move();
  return {
    born: { pid: process.pid, startedAt: isoInstant(clock.now()) },
    store,
    spool,
    conditions,
    lastDay,
    start,
    safeMode,
    health: createHealth({ clock }),
    fatal: fatal.signal,
  };
}

/** After damage of the ledger every document asks before it prints, until a person has looked (T31). */
export function tellQuarantine(
  { quarantine }: { readonly quarantine: Pick<QuarantineFolder, 'path' | 'reason'> | undefined },
  conditions: Conditions,
): void {
  if (!quarantine) return;
  const { path, reason } = quarantine;
  conditions.raise({
    code: 'ledger-quarantined',
    severity: 'error',
    scope: 'agent',
    subject: 'ledger',
    detail: `the ledger was damaged (${reason}) and was moved to ${path}. Platen asks people before each print`,
  });
}
