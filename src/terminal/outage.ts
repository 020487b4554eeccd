/**
 * Why one terminal is out of service, for whoever stands in front of it and for whoever is called. Each outage has a
 * reference of its own: it is on the screen, in the QR code there, in the status, and in every record of that outage.
 */
import { supportAddress } from '../config/schema/support.ts';
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
  /** Only where somebody looks at it: a gateway without a page has no screen for it, and it takes milliseconds. */
  drawn(): QrView;
  readonly view: OutageView;
}

export interface OutageDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly terminal: Pick<Terminal, 'id' | 'isIdle' | 'view'>;
  /** What keeps the device from being used, where that is so and known. */
  obstacle(): Obstacle | undefined;
  /** The service lets this terminal work. */
  isEnabled(): boolean;
  /** Who serves it. */
  hold(): HoldStanding;
  /** `kiosk.support` of the configuration. */
  support(): string | undefined;
  /** As a page draws it. */
  qrOf(text: string): QrView;
}

export class TerminalOutage {
  readonly #deps: OutageDeps;
  /** A service that comes and goes changes the reason as often. */
  readonly #sparingLog: Log;
  #standing: Standing | undefined;

  constructor(deps: OutageDeps) {
    this.#deps = deps;
    this.#sparingLog = createSparingLog(deps);
  }

  current(): OutageView | undefined {
    return this.#standing?.view;
  }

  /** The terminal, or what may stand in its way, has changed: whether `current` says something else now. */
  look(): boolean {
    const { terminal } = this.#deps;
    const state = terminal.isIdle() ? terminal.view.current().state : 'in use';
    // The agent ends, and with it whatever was the matter.
    if (state === 'stopped') return false;
    if (state !== 'outOfService') return this.#end();
    // What stood in the way is gone, and the terminal is about to follow.
    return this.#stand(this.#causeNow() ?? this.#standing?.cause ?? { reason: 'starting' });
  }

  /** `null`: the terminal is in service. */
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
    const facts = { reference, terminal: terminal.id };
    const template = support();
    const text =
      template === undefined ? `platen ${terminal.id} ${reference}` : supportAddress(template, facts);
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

/** A fault that is none of these does not go by itself, nor by a word of the administrator of the service. */
const reasons: Partial<Record<ProblemCode, OutageView['reason']>> = {
  'terminal-not-authorized': 'not-approved',
  'registration-refused': 'not-approved',
  'trust-withdrawn': 'not-approved',
  'cloud-unreachable': 'service-away',
  'cloud-busy': 'service-away',
  'cloud-protocol': 'service-away',
};

/** That another gateway serves it is no fault of this one. */
function notServedHere(hold: HoldStanding): Cause | undefined {
  if (hold.is === 'held') return undefined;
  if (hold.is === 'engine-away') return { reason: 'engine-away', obstacle: engineAway };
  // Of nobody yet: it is about to be taken.
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

/** Without the user code, which is for the screen alone (INVARIANTS.md T24). */
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
