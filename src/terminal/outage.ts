/**
 * Why one terminal is out of service, for the person in front of it and for the support staff. Each outage has a
 * reference of its own. It is on the screen, in the QR code there, in the status, and in every record of that outage.
 */
import { supportAddress } from '../config/schema/kiosk.ts';
import type { Chance } from '../core/chance.ts';
import type { Fact, Log } from '../core/log.ts';
import { createSparingLog } from '../core/sparing-log.ts';
import type { Env } from '../domain/env.ts';
import type { HoldStanding } from '../domain/ports/holds.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import type { OutageView, QrView } from '../domain/terminal/terminal-view.ts';
import type { Obstacle } from '../enrollment/obstacle.ts';
import type { Terminal } from './runner.ts';

interface Cause {
  readonly reason: OutageView['reason'];
  readonly obstacle?: Obstacle;
  readonly by?: string;
}

interface Standing {
  readonly cause: Cause;
  readonly reference: string;
  /** Drawn only when a page shows it, because it takes milliseconds. A gateway without a page has no screen for it. */
  drawn(): QrView;
  readonly view: OutageView;
}

export interface OutageDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  /** Its id. */
  readonly terminal: string;
  /** The known reason why the device cannot be used, if there is one. */
  obstacle(): Obstacle | undefined;
  /** Whether the service lets this terminal work. */
  isEnabled(): boolean;
  /** The gateway that serves the terminal. */
  hold(): HoldStanding;
  /** `kiosk.support` of the configuration. */
  support(): string | undefined;
  /** The code as a page draws it. */
  qrOf(text: string): QrView;
}

export class TerminalOutage {
  readonly #deps: OutageDeps;
  /** A service that comes and goes changes the reason just as often. */
  readonly #sparingLog: Log;
  #standing: Standing | undefined;

  constructor(deps: OutageDeps) {
    this.#deps = deps;
    this.#sparingLog = createSparingLog(deps);
  }

  current(): OutageView | undefined {
    return this.#standing?.view;
  }

  /** Called when the terminal or a possible obstacle has changed. Returns whether `current` changes, too. */
  look(terminal: Pick<Terminal, 'state'>): boolean {
    const state = terminal.state();
    // The agent stops, and every outage ends with it.
    if (state === 'stopped') return false;
    if (state !== 'outOfService') return this.#end();
    // The obstacle is gone, and the terminal is about to follow.
    return this.#stand(this.#causeNow() ?? this.#standing?.cause ?? { reason: 'starting' });
  }

  /** `null` if the terminal is in service. */
  status(): object | null {
    if (!this.#standing) return null;
    const { cause, reference } = this.#standing;
    return said(cause, reference);
  }

  #causeNow(): Cause | undefined {
    const { obstacle: deviceObstacle, hold, isEnabled } = this.#deps;
    const obstacle = deviceObstacle();
    if (obstacle) return { reason: reasons[obstacle.code] ?? 'needs-setup', obstacle };
    return (
      notServedHere(hold()) ?? (isEnabled() ? undefined : { reason: 'switched-off', obstacle: switchedOff })
    );
  }

  #stand(next: Cause): boolean {
    const before = this.#standing?.cause;
    if (before && isSame(before, next)) return false;
    const { reference, drawn } = this.#standing ?? this.#begin();
    const view = {
      ...said(next, reference),
      get qr() {
        return drawn();
      },
    };
    this.#standing = { cause: next, reference, drawn, view };
    if (!before) tell(this.#deps.log, next, reference);
    else if (before.reason !== next.reason || before.obstacle?.code !== next.obstacle?.code)
      tell(this.#sparingLog, next, reference);
    return true;
  }

  #begin(): Pick<Standing, 'reference' | 'drawn'> {
    const { terminal, chance, support, qrOf } = this.#deps;
    const reference = referenceBy(chance);
    const facts = { reference, terminal };
    const template = support();
    const text = template === undefined ? `platen ${terminal} ${reference}` : supportAddress(template, facts);
    let qr: QrView | undefined;
    return { reference, drawn: () => (qr ??= qrOf(text)) };
  }

  #end(): boolean {
    if (!this.#standing) return false;
    this.#deps.log.info('terminal back in service', { reference: this.#standing.view.reference });
    this.#standing = undefined;
    return true;
  }
}

const said = ({ reason, obstacle, by }: Cause, reference: string): Omit<OutageView, 'qr'> => ({
  reason,
  reference,
  ...(obstacle?.userCode === undefined ? {} : { userCode: obstacle.userCode }),
  ...(by === undefined ? {} : { by, code: 'fleet-terminal-elsewhere' }),
  ...(obstacle === undefined ? {} : { code: obstacle.code }),
});

/** A fault outside this list does not go by itself, and the administrator of the service cannot clear it, either. */
const reasons: Partial<Record<ProblemCode, OutageView['reason']>> = {
  'terminal-not-authorized': 'not-approved',
  'registration-refused': 'not-approved',
  'trust-withdrawn': 'not-approved',
  'cloud-unreachable': 'service-away',
  'cloud-busy': 'service-away',
  'cloud-protocol': 'service-away',
};

/** If another gateway serves the terminal, this gateway has no fault. */
function notServedHere(hold: HoldStanding): Cause | undefined {
  if (hold.is === 'held') return undefined;
  if (hold.is === 'engine-away') return { reason: 'engine-away', obstacle: engineAway };
  // No gateway holds it yet; it is about to be taken.
  return hold.by === undefined ? { reason: 'starting' } : { reason: 'elsewhere', by: hold.by };
}

const engineAway: Obstacle = {
  code: 'fleet-engine-away',
  detail: 'Platen cannot ask which gateway serves this terminal',
};

const switchedOff: Obstacle = {
  code: 'terminal-disabled',
  detail: 'the output port or the terminal config of this terminal is off in the service',
};

/** Without the user code, which only the screen may show (INVARIANTS.md T24). */
function tell(log: Log, { reason, obstacle, by }: Cause, reference: string): void {
  const facts: Record<string, Fact> = { reference, reason, by };
  if (!obstacle) return log.info('terminal out of service', facts);
  const { code, detail } = obstacle;
  log.warn('terminal out of service', { ...facts, code, detail, advice: problemKinds[code].advice });
}

const isSame = (one: Cause, other: Cause): boolean =>
  one.reason === other.reason &&
  one.by === other.by &&
  one.obstacle?.code === other.obstacle?.code &&
  one.obstacle?.userCode === other.obstacle?.userCode;

/** Crockford's base 32: without I, L, O and U. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const referenceBy = (chance: Chance): string =>
  Array.from(chance.bytes(6), (octet) => letters[octet % letters.length]).join('');
