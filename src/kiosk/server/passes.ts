/**
 * Passes for browsers that may speak for the person in front of a terminal (INVARIANTS.md D11, T03). A browser started
 * with the launch secret gets a cookie for that terminal. The secret works once, so an address seen in a process list
 * is worthless. The cookie survives a restart of the agent and ends with the browser. It is invalid at other terminals,
 * and after a new launch.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Chance } from '../../core/chance.ts';
import type { Log } from '../../core/log.ts';
import type { KioskSecrets } from '../../domain/ports/kiosk.ts';

export interface Passes {
  /** Gives the `Set-Cookie` header; `undefined` if the secret is wrong or already used. */
  launch(terminal: string, secret: string): string | undefined;
  /** Whether the `Cookie` header contains the pass of the terminal. */
  areIn(terminal: string, cookies: string | undefined): boolean;
}

/**
 * Cookies ignore the port (RFC 6265, 8.5): other listeners of this machine may set cookies of this name and see this
 * one.
 */
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

/** Only a hash of the pass is stored, so that the stored value is not a pass. */
const markOf = (pass: string): string => createHash('sha256').update(pass).digest('base64url');

const valuesIn = (cookies: string): readonly string[] =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1));

/** Compares in constant time, so that the time does not show how much of a guess was right. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
