/** The kiosk's own page, as its browser opens it: launched with the secret of the state directory. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../src/kiosk/commands.ts';
import type { Running, Stage } from './stage.ts';

export interface KioskPage {
  /** For the event stream. */
  readonly cookie: string;
  /** The status of the answer. */
  say(command: Command): Promise<number>;
}

export async function launchPage({ folder }: Stage, { kiosk }: Running): Promise<KioskPage> {
  const secret = (await readFile(join(folder, 'state', 'kiosk-launch'), 'utf8')).trim();
  const launched = await fetch(`${kiosk}/t/lobby?launch=${secret}`, { redirect: 'manual' });
  const cookie = launched.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { 'content-type': 'application/json', origin: kiosk, cookie };
  return {
    cookie,
    async say(command) {
      const body = JSON.stringify(command);
      return (await fetch(`${kiosk}/t/lobby/commands`, { method: 'POST', headers, body })).status;
    },
  };
}
