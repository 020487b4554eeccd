/** The desks of several printers as one: each document goes to its own printer's, and what was left open to the one that has it. */
import { expect, it } from 'vitest';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import { seconds } from '../../src/core/duration.ts';
import type { ReleaseDesk } from '../../src/release/desk.ts';
import { deskOf } from '../../src/release/desk.ts';
import { sampleTicket } from '../support/sample-ticket.ts';

function recordingDesk(said: string[], name: string, isBusy = () => false): ReleaseDesk {
  const tell = (what: string) => void said.push(`${name}: ${what}`);
  return {
    isReleasing: isBusy,
    isIdle: () => !isBusy(),
    standing: () => (tell('standing'), 'releasable'),
    release: (tickets) => tell(`release ${tickets.map(({ document }) => document.uuid).join(' ')}`),
    ownerLeft: (sessionId) => tell(`${sessionId} left`),
    resume: (attempts) => tell(`resume ${attempts.map(({ releaseId }) => releaseId).join(' ')}`),
    stop: async () => tell('stop'),
  };
}

function twoDesks() {
  const said: string[] = [];
  let isBusy = false;
  const lobby = { name: 'Lobby', uri: () => 'ipp://lobby', desk: recordingDesk(said, 'Lobby') };
  const colour = {
    name: 'Colour',
    uri: () => 'ipp://colour',
    desk: recordingDesk(said, 'Colour', () => isBusy),
  };
  return { said, desk: deskOf([lobby, colour]), lobby, busy: () => void (isBusy = true) };
}

const ticket = (uuid: string, printer?: string) =>
  sampleTicket({ uuid }, printer === undefined ? {} : { printer });
const attempt = (releaseId: string, printerUri: string | undefined) =>
  ({ releaseId, printerUri }) as Partial<OpenAttempt> as OpenAttempt;

it('a ticket goes to the desk of its printer; without one, or of one that is gone, to the default', () => {
  const { said, desk } = twoDesks();
  desk.release([ticket('1', 'Colour'), ticket('2', 'Colour'), ticket('3'), ticket('4', 'Attic')], () => {});
  expect(said).toEqual(['Colour: release 1 2', 'Lobby: release 3 4']);
});

it('what a restart found open goes to whoever has its printer, and without an intent to the default', () => {
  const { said, desk } = twoDesks();
  desk.resume([attempt('a', 'ipp://colour'), attempt('b', undefined), attempt('c', 'ipp://attic')]);
  expect(said).toEqual(['Colour: resume a', 'Lobby: resume b c']);
});

it('what another gateway left goes there also where that one writes the address otherwise', () => {
  const { said, desk } = twoDesks();
  desk.resume([attempt('a', 'IPP://Colour:631/')]);
  expect(said).toEqual(['Colour: resume a']);
});

it('one that is busy keeps all of it from being idle; all hear of who left, and of the end', async () => {
  const { said, desk, busy } = twoDesks();
  expect([desk.isIdle(), desk.isReleasing()]).toEqual([true, false]);
  busy();
  expect([desk.isIdle(), desk.isReleasing()]).toEqual([false, true]);
  desk.ownerLeft('session-1');
  await desk.stop(seconds(3));
  expect(said).toEqual(['Lobby: session-1 left', 'Colour: session-1 left', 'Lobby: stop', 'Colour: stop']);
});

it('the desk of one printer is that desk', () => {
  const { lobby } = twoDesks();
  expect(deskOf([lobby])).toBe(lobby.desk);
});
