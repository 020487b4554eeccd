/**
 * INVARIANTS.md T04: whatever state a terminal is in, these routes are there, and no others; and in each state these
 * verbs, and no others. What is new stands in a table here, or the test fails.
 */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { readStaticFiles } from '../../src/kiosk/server/kiosk-page.ts';
import { createCaller } from './caller.ts';
import { prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import { openPage } from './open-stream.ts';
import { commandOf, verbs } from './verbs.ts';

const outOfService = { ...prompting, state: 'outOfService' };
const inTheLog = { reference: 'K7M2QX', qr: { path: 'M0 0h1v1h-1z', size: 1 } };
const document = (uuid: string, standing: 'releasable' | 'may-have-printed') => ({
  uuid,
  name: uuid,
  pages: 2,
  copies: 1,
  color: true,
  sides: 'one-sided' as const,
  standing,
  options: { mostCopies: 1, grey: true, twoSided: true },
});
const session = {
  documents: [document('d-1', 'releasable'), document('d-2', 'may-have-printed')],
  mayHavePrinted: [{ documentUuid: 'd-2' }],
};
const lookedAt = { documentUuid: 'd-1', page: 1, stage: 'shown', picture: 'a-picture' } as const;
const counted = { mayHavePrinted: [{ documentUuid: 'd-2', missing: { from: 7, to: 12 } }] };
const severalPrinters = {
  printers: [{ name: 'Lobby' }, { name: 'Colour, A3' }],
  chosenPrinter: 'Lobby',
};
const always = ['log-out', 'still-there'];
const signedIn = ['language', ...always];

/** By state: the verbs that a launched page is obeyed in. */
const states: readonly [string, TerminalView, readonly string[]][] = [
  ['unprovisioned', { ...outOfService, outage: { reason: 'needs-setup', ...inTheLog } }, []],
  [
    'waiting for approval',
    { ...outOfService, outage: { reason: 'not-approved', userCode: 'WDJB-MJHT', ...inTheLog } },
    [],
  ],
  ['idle, for badges only', prompting, []],
  ['idle, with something to type', { ...prompting, offers: ['short-id'] }, ['log-in']],
  ['shut after too many wrong logins', { ...prompting, offers: [] }, []],
  ['asking for a PIN', { ...prompting, state: 'askingPin', asks: 'pin' }, [...always, 'pin']],
  ['asking who that is', { ...prompting, state: 'enrolling', asks: 'enrollment' }, ['enrol', ...always]],
  ['reading the list', { ...prompting, state: 'listing' }, signedIn],
  [
    'choosing',
    { ...prompting, ...session, state: 'choosing' },
    ['change', 'delete', 'it-is-there', 'print-again', 'release', ...signedIn],
  ],
  [
    'choosing, where documents may be looked at',
    { ...prompting, ...session, state: 'choosing', offersPreview: true, preview: lookedAt },
    ['change', 'delete', 'end-preview', 'it-is-there', 'preview', 'print-again', 'release', ...signedIn],
  ],
  [
    'choosing, where the printer counted',
    { ...prompting, ...session, ...counted, state: 'choosing' },
    ['change', 'delete', 'it-is-there', 'print-again', 'print-missing', 'release', ...signedIn],
  ],
  [
    'choosing, from a list that could not be fetched again',
    { ...prompting, ...session, state: 'choosing', notice: { code: 'list-stale', sentence: 'As before.' } },
    ['change', 'delete', 'it-is-there', 'look-again', 'print-again', 'release', ...signedIn],
  ],
  [
    'choosing, with a stick that is in',
    { ...prompting, ...session, state: 'choosing', stick: { stage: 'in', edition: 1 } },
    ['change', 'delete', 'it-is-there', 'open-stick', 'print-again', 'release', ...signedIn],
  ],
  [
    'choosing from a stick',
    {
      ...prompting,
      ...session,
      state: 'choosing',
      stick: { stage: 'files', edition: 1, files: [{ folder: '', name: 'a.pdf', octets: 1 }] },
    },
    ['bring-file', 'change', 'close-stick', 'delete', 'it-is-there', 'print-again', 'release', ...signedIn],
  ],
  [
    'releasing',
    { ...prompting, ...session, state: 'releasing' },
    ['it-is-there', 'print-again', 'release', ...signedIn],
  ],
  [
    'choosing, at one of several printers',
    { ...prompting, ...session, ...severalPrinters, state: 'choosing' },
    ['change', 'delete', 'it-is-there', 'print-again', 'printer', 'release', ...signedIn],
  ],
  ['idle, before several printers', { ...prompting, printers: severalPrinters.printers }, []],
  ['stopping', { ...prompting, state: 'stopped' }, []],
];

const files = [...(await readStaticFiles()).keys()];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const paths = [
  ...files,
  '/t/lobby',
  '/t/lobby/events',
  '/t/lobby/commands',
  '/t/lobby?launch=wrong',
  '/t/lobby?view',
  '/t/lobby/events?view',
  '/t/lobby/commands?view',
  '/t/lobby/pictures',
  '/t/lobby/pictures/',
  '/t/lobby/pictures/a-picture',
  '/t/attic/pictures/a-picture',
  '/',
  '/t',
  '/t/',
  '/t/lobby/',
  '/t/lobby/setup',
  '/t/attic',
  '/setup',
  '/setup/complete',
  '/admin',
  '/login',
  '/config',
  '/enrollment',
  '/provision',
  '/status',
  '/metrics',
  '/healthz',
  '/readyz',
  '/debug',
  '/api/v1/devices',
  '/kiosk-launch',
  '/state/kiosk-launch',
  '/index.html',
  '/kiosk.js.map',
  '/de.js',
  '/.vite/license.md',
  '/favicon.ico',
  '/.well-known/security.txt',
];
const routes = [
  ...files.map((path) => `GET ${path} 200`),
  'GET /t/lobby 200',
  'GET /t/lobby/events 200',
  'GET /t/lobby?launch=wrong 303',
  'GET /t/lobby?view 200',
  'GET /t/lobby/events?view 200',
];

it.each(states)(
  'a terminal that is %s has these routes and verbs, and no others (T04)',
  async (_, view, obeyed) => {
    const stage = await openKiosk();
    using caller = createCaller(stage.port);
    stage.show(view);
    for (const cookie of ['', await openPage(stage)]) {
      const answers = methods.flatMap((method) =>
        paths.map(async (path) => {
          const headers = { cookie, 'sec-fetch-site': 'same-origin' };
          return `${method} ${path} ${await caller.statusOf({ method, path, headers })}`;
        }),
      );
      const found = (await Promise.all(answers)).filter((answer) => !answer.endsWith(' 404'));
      // Without anything in it, with the cookie or without.
      const refusal = cookie === '' ? 403 : 409;
      const commands = ['', '?view'].map((query) => `POST /t/lobby/commands${query} ${refusal}`);
      const pictures = ['', 'a-picture'].map((name) => `GET /t/lobby/pictures/${name} ${refusal}`);
      expect(found.sort()).toEqual([...routes, ...commands, ...pictures].sort());
    }
    expect(stage.told).toEqual([]);

    const cookie = await openPage(stage);
    const outcomes = new Map<string, number>();
    for (const verb of verbs) {
      await stage.clock.advance(seconds(1));
      stage.show(view);
      expect((await stage.command(commandOf(verb, 1), { cookie: '' })).status).toBe(403);
      outcomes.set(verb, (await stage.command(commandOf(verb, 1), { cookie })).status);
    }
    const wanted = verbs.map((verb) => [verb, obeyed.includes(verb) ? 204 : 409] as const);
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(wanted));
    expect(stage.told).toHaveLength(obeyed.length);
  },
);
