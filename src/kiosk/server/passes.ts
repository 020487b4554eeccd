/**
 * Who may speak for the person in front of a terminal: a browser that was started with the launch secret, and has a
 * cookie for that terminal since (INVARIANTS.md D11, T03). The secret is spent by its first use, so that an address
 * seen in a process list is worth nothing. The cookie outlives a restart of the agent, ends with the browser, and is
 * worth nothing at another terminal, nor once a browser has been started anew.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Chance } from '../../core/chance.ts';
import type { Log } from '../../core/log.ts';
import type { KioskSecrets } from '../../domain/ports/kiosk.ts';

export interface Passes {
  /** The `Set-Cookie` for it; `undefined` where the secret is wrong or spent. */
  launch(terminal: string, secret: string): string | undefined;
  /** Whether that of the terminal is in the `Cookie` header. */
  areIn(terminal: string, cookies: string | undefined): boolean;
}

/** Cookies know no port (RFC 6265, 8.5): other listeners of this machine may set some of this name, and see ours. */
const cookieName = 'platen-kiosk';
const passBytes = 32;

export function createPasses(world: {
  readonly secrets: KioskSecrets;
  readonly chance: Chance;
  readonly log: Log;
}): Passes {
  const { secrets, chance, log } = world;

  return {
    launch(terminal, secret) {
      if (!isSame(secret, secrets.launch().reveal())) {
        log.warn('kiosk launch refused', { terminal });
        return undefined;
      }
      const pass = chance.bytes(passBytes).toString('base64url');
      try {
        secrets.spend(terminal, markOf(pass));
      } catch (error) {
        log.error('kiosk launch refused', {
          terminal,
          error: error instanceof Error ? error : String(error),
        });
        return undefined;
      }
      log.info('kiosk launched', { terminal });
      return `${cookieName}=${pass}; HttpOnly; SameSite=Strict; Path=/t/${terminal}`;
    },
    areIn(terminal, cookies = '') {
      const mark = secrets.markOf(terminal);
      return mark !== undefined && valuesIn(cookies).some((pass) => isSame(markOf(pass), mark));
    },
  };
}

/** What is kept of a pass does not give it. */
const markOf = (pass: string): string => createHash('sha256').update(pass).digest('base64url');

const valuesIn = (cookies: string): readonly string[] =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1));

/** Takes as long for a near miss as for any other. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
