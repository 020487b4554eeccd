/** Messages as people read them. */
import { expect, it } from 'vitest';
import type { Message, Notice } from '../../src/notify/message.ts';
import { bodyText, subjectLine } from '../../src/notify/message.ts';

const lobby: Notice = {
  code: 'printer-unreachable',
  severity: 'error',
  scope: 'lobby',
  subject: 'printer',
  since: '2026-11-21T12:00:00.000Z',
};
const cloud: Notice = { ...lobby, code: 'cloud-unreachable', scope: 'agent', subject: 'cloud' };
const over = { ...lobby, until: '2026-11-21T12:30:00.000Z' };

const messageOf = (changes: Partial<Message>): Message => ({
  id: 'msg_1',
  at: '2026-11-21T12:31:00.000Z',
  from: { gateway: 'gateway-1', version: '1.2.3' },
  came: [],
  lasting: [],
  went: [],
  heldBack: 0,
  ...changes,
});

it.each<[Partial<Message>, string]>([
  [{ came: [lobby] }, '[Platen] gateway-1: printer-unreachable (lobby)'],
  [{ came: [cloud, lobby], went: [over] }, '[Platen] gateway-1: cloud-unreachable (agent) and 2 more'],
  [{ lasting: [lobby] }, '[Platen] gateway-1: still: printer-unreachable (lobby)'],
  [{ went: [over] }, '[Platen] gateway-1: over: printer-unreachable (lobby)'],
  [{ heldBack: 3 }, '[Platen] gateway-1: 3 messages held back, all is over'],
  [{ isTest: true }, '[Platen] gateway-1: a test, nothing has happened'],
])('the subject line says where and what: %#', (changes, line) => {
  expect(subjectLine(messageOf(changes))).toBe(line);
});

it('the text says what, where, since when, and once what to do', () => {
  const text = bodyText(
    messageOf({
      came: [cloud, lobby, { ...lobby, scope: 'attic' }],
      went: [{ ...over, scope: 'hall' }],
      heldBack: 2,
      from: {
        gateway: 'gateway-1',
        site: 'north',
        version: '1.2.3',
        url: 'https://gateway-1.example:7381/ui/',
      },
    }),
  );
  expect(text).toBe(`Gateway gateway-1, site north, Platen 1.2.3, 2026-11-21T12:31:00.000Z

NEW

cloud-unreachable: The print service cannot be reached. We keep trying.
  error: agent, cloud, since 2026-11-21T12:00:00.000Z
  Advice: Check the network, DNS, the proxy and the certificate of the print service.

printer-unreachable: The printer cannot be reached. Is it switched on?
  error: lobby, printer, since 2026-11-21T12:00:00.000Z
  error: attic, printer, since 2026-11-21T12:00:00.000Z
  Advice: Check the power, the network and the address of the printer.

OVER

printer-unreachable: The printer cannot be reached. Is it switched on?
  error: hall, printer, since 2026-11-21T12:00:00.000Z, until 2026-11-21T12:30:00.000Z

2 messages were held back because there were too many (notify.mostPerHour).

https://gateway-1.example:7381/ui/
`);
});

it('of many, a hundred are named and the others counted', () => {
  const came = Array.from({ length: 120 }, (_, count) => ({ ...lobby, scope: `t${count}` }));
  const text = bodyText(messageOf({ came }));
  expect([text.match(/ error: /g)?.length, text.includes('and 20 more')]).toEqual([100, true]);
});

it('no line can be forged by a name', () => {
  expect(bodyText(messageOf({ came: [{ ...lobby, subject: 'x\nOVER\r\n' }] }))).toContain('x\\u000aOVER');
});
