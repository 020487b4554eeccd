/**
 * Who may speak for the person in front: a browser that was started with the launch secret, and has a cookie for it
 * since (reliability.md D11, T03). The secret is spent by its first use, so that an address seen in a process list is
 * worth nothing. The cookie is signed, not remembered: it outlives a restart of the agent, and ends with the browser.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Chance } from '../core/chance.ts';
import type { Log } from '../core/log.ts';
import type { KioskSecrets } from '../domain/ports/kiosk.ts';

export interface Passes {
  /** The `Set-Cookie` for it; `undefined` where the secret is wrong or spent. */
  launch(secret: string): string | undefined;
  /** Whether one is in the `Cookie` header. */
  areIn(cookies: string | undefined): boolean;
}

/** Cookies know no port (RFC 6265, 8.5): other listeners of this machine may set some of this name, and see ours. */
const cookieName = 'platen-kiosk';
const serialBytes = 16;

export function createPasses(world: {
  readonly secrets: KioskSecrets;
  readonly chance: Chance;
  readonly log: Log;
}): Passes {
  const { secrets, chance, log } = world;
  const key = secrets.cookieKey.reveal();
  const signed = (serial: string): string =>
    `${serial}.${createHmac('sha256', key).update(serial).digest('base64url')}`;

  return {
    launch(secret) {
      if (!isSame(secret, secrets.launch().reveal())) {
        log.warn('kiosk launch refused');
        return undefined;
      }
      try {
        secrets.renewLaunch();
      } catch (error) {
        log.error('kiosk launch refused', { error: error instanceof Error ? error : String(error) });
        return undefined;
      }
      log.info('kiosk launched');
      const serial = chance.bytes(serialBytes).toString('base64url');
      return `${cookieName}=${signed(serial)}; HttpOnly; SameSite=Strict; Path=/`;
    },
    areIn: (cookies = '') =>
      valuesIn(cookies).some((value) => isSame(value, signed(value.slice(0, value.indexOf('.'))))),
  };
}

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
