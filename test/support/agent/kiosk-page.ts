/** The kiosk's own page, as its browser opens it: launched with the secret of the state directory. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../../src/kiosk/commands.ts';
import { pageHeader } from '../../../src/kiosk/frame.ts';
import type { Running, Stage } from './stage.ts';

export interface KioskPage {
  /** For the event stream. */
  readonly cookie: string;
  /** As its event stream has told; `watchScreen` keeps it here. */
  name?: string;
  /** The status of the answer; a page that does not watch the screen is not listened to. */
  say(command: Command): Promise<number>;
}

/** What a browser is started with; good once. */
export async function launchAddress(
  { folder }: Pick<Stage, 'folder'>,
  { kiosk }: Pick<Running, 'kiosk'>,
): Promise<string> {
  const secret = (await readFile(join(folder, 'state', 'kiosk-launch'), 'utf8')).trim();
  return `${kiosk}/t/lobby?launch=${secret}`;
}

export async function launchPage(
  stage: Pick<Stage, 'folder'>,
  agent: Pick<Running, 'kiosk'>,
): Promise<KioskPage> {
  const { kiosk } = agent;
  const launched = await fetch(await launchAddress(stage, agent), { redirect: 'manual' });
  const cookie = launched.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { 'content-type': 'application/json', origin: kiosk, cookie };
  const page: KioskPage = {
    cookie,
    async say(command) {
      const { status } = await fetch(`${kiosk}/t/lobby/commands`, {
        method: 'POST',
        headers: { ...headers, ...(page.name && { [pageHeader]: page.name }) },
        body: JSON.stringify(command),
      });
      return status;
    },
  };
  return page;
}
