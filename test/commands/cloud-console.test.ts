/** What an administrator types at `platen simulate cloud`, line by line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replyTo } from '../../src/commands/simulate/cloud-console.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { api, clientId, enrol, form, oauth, registration, unsigned } from '../support/cloud/hand-client.ts';

const typed = (cloud: SimulatedCloud, line: string): string => replyTo(cloud, line).text;

/** The cells of a view's rows, without its heading; columns stand at least two blanks apart. */
const rowsOf = (cloud: SimulatedCloud, line: string): readonly (readonly string[])[] =>
  typed(cloud, line)
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/));

const register = (cloud: SimulatedCloud) => oauth(cloud, '/register', form(registration(cloud)), unsigned);

describe('help', () => {
  it('lists every command with what it does', async () => {
    await using cloud = await startCloud();
    const usages = rowsOf(cloud, 'help').map(([usage]) => usage);
    expect(usages).toEqual([
      'help',
      'endpoints',
      'users',
      'cards',
      'documents',
      'history',
      'ports',
      'calls',
      'faults',
      'approve [CLIENT]',
      'reject [CLIENT]',
      'withdraw [CLIENT]',
      'add document OWNER NAME [PAGES]',
      'add file OWNER PATH',
      'add user NAME [CARD [PIN]]',
      'add card USER CARD',
      'balance USER AMOUNT',
      'fault METHOD PATH NAME [TIMES|always]',
      'clock SECONDS',
      'deviations',
      'reset',
      'behave',
      'quit',
    ]);
  });
});

describe('deviations and reset', () => {
  it('tell what was wrong, and take everything back to the beginning', async () => {
    await using cloud = await startCloud();
    expect(replyTo(cloud, 'deviations')).toEqual({ kind: 'done', text: 'no deviations' });
    await fetch(`${cloud.baseUrl}/api/v1/version`);
    expect(replyTo(cloud, 'deviations').text).toContain('X-API-Key is missing');
    replyTo(cloud, 'add user dora');
    const heard: string[] = [];
    cloud.onEvent((sentence) => heard.push(sentence));
    expect(replyTo(cloud, 'reset')).toEqual({ kind: 'done', text: '' });
    expect(heard).toEqual(['reset: as at the beginning, and every device has to register anew']);
    expect([cloud.deviations, cloud.state.users.length]).toEqual([[], 4]);
  });
});

describe('the clock', () => {
  it('goes forward, and never back', async () => {
    await using cloud = await startCloud();
    const heard: string[] = [];
    cloud.onEvent((sentence) => heard.push(sentence));
    expect(replyTo(cloud, 'clock 3600')).toEqual({ kind: 'done', text: '' });
    expect(heard).toEqual([expect.stringMatching(/^clock: \d{4}-/)]);
    for (const line of ['clock', 'clock -5', 'clock soon', 'clock 0']) {
      expect(replyTo(cloud, line).kind).toBe('mistake');
    }
  });
});

describe('the views', () => {
  it.each(['endpoints', 'history', 'calls'])('say that there is nothing: %s', async (line) => {
    await using cloud = await startCloud();
    expect(replyTo(cloud, line)).toEqual({ kind: 'done', text: `no ${line}` });
  });

  it('show the people, their cards and the ports', async () => {
    await using cloud = await startCloud();
    expect(rowsOf(cloud, 'users')[0]).toEqual(['alice', 'Alice Archer', '4711', '2580', 'off', '13']);
    expect(rowsOf(cloud, 'cards')[1]).toEqual(['04B5C6D7E8', 'bob']);
    expect(rowsOf(cloud, 'ports')).toEqual([
      ['7', 'Lobby', 'SN-0001', '127.0.0.1', 'no', '-'],
      ['8', 'Workshop', 'SN-0002', '127.0.0.1', 'yes', '00:80:A3:00:00:08'],
    ]);
  });

  it('show documents, the history and the calls', async () => {
    await using cloud = await startCloud();
    const { device } = await enrol(cloud);
    const body = form({ jobtype: 'PRINT', username: 'bob', providerid: '3', title: 'Menu', totalpages: '2' });
    await api(cloud, '/documents/history', { method: 'POST', token: device, body });
    expect(rowsOf(cloud, 'documents')[1]?.slice(1)).toEqual([
      'alice',
      'Quarterly report.pdf',
      '3',
      'READY',
      '0',
      '-',
    ]);
    expect(rowsOf(cloud, 'history')[0]?.slice(1)).toEqual(['bob', 'Menu', '2', '-', 'device']);
    expect(rowsOf(cloud, 'calls').at(-1)?.slice(1)).toEqual([
      'POST /api/v1/documents/history',
      'device',
      '200',
      '-',
      '-',
    ]);
    await api(cloud, '/documents', { token: 'none-of-ours' });
    expect(rowsOf(cloud, 'calls').at(-1)?.at(-1)).toBe('the token is unknown or has expired');
  });
});

describe('devices', () => {
  it.each([
    ['approve', 'approved'],
    [`approve ${clientId}`, 'approved'],
    ['reject', 'rejected'],
    ['withdraw', 'withdrawn'],
  ])('%s: the device is %s', async (line, trust) => {
    await using cloud = await startCloud();
    await register(cloud);
    expect(rowsOf(cloud, 'endpoints')).toEqual([[clientId, 'printer', 'waiting', '0', 'Lobby gateway']]);
    const heard: string[] = [];
    cloud.onEvent((sentence) => heard.push(sentence));
    expect(replyTo(cloud, line)).toEqual({ kind: 'done', text: '' });
    expect(heard).toEqual([`administrator: client ${clientId} ${trust}`]);
    expect(rowsOf(cloud, 'endpoints')[0]?.[2]).toBe(trust);
  });

  it('that are not there are told of', async () => {
    await using cloud = await startCloud();
    expect(['approve', 'reject', 'withdraw'].map((line) => typed(cloud, line))).toEqual([
      'no device is waiting',
      'no device is waiting',
      'there is no such device',
    ]);
  });
});

describe('adding', () => {
  it('gives a person a file of this machine, with its bytes and its pages', async () => {
    await using cloud = await startCloud();
    const folder = await mkdtemp(join(tmpdir(), 'platen-file-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const bytes = samplePdf({ title: 'Plan', pages: 3 });
    await writeFile(join(folder, 'Plan of the roof.pdf'), bytes);
    const text = typed(cloud, `add file alice ${join(folder, 'Plan of the roof.pdf')}`);
    expect(text).toContain('“Plan of the roof.pdf” waits for alice, 3 pages: ');
    expect(cloud.state.documents.at(-1)).toMatchObject({ owner: 'alice', bytes, info: { totalPages: 3 } });
  });

  it('a person, a card and documents', async () => {
    await using cloud = await startCloud();
    expect(typed(cloud, 'add user dora')).toBe('dora is there, cards: none');
    expect(typed(cloud, 'add user erik E0')).toBe('erik is there, cards: E0');
    expect(typed(cloud, 'add user fay F0 1234')).toBe('fay is there, cards: F0, PIN 1234');
    expect(typed(cloud, 'add card dora D0')).toBe('dora has the card D0');
    expect(typed(cloud, 'add document dora Plan of the roof.pdf 12')).toContain(
      '“Plan of the roof.pdf” waits',
    );
    expect(typed(cloud, 'add document dora 2026')).toContain('“2026” waits');
    expect(cloud.state.users.slice(-3)).toMatchObject([
      { cards: ['D0'] },
      { cards: ['E0'] },
      { cards: ['F0'], pin: '1234' },
    ]);
    expect(cloud.state.documents.slice(-2).map(({ info }) => info.totalPages)).toEqual([12, 1]);
  });

  it('money turns balance on', async () => {
    await using cloud = await startCloud();
    expect(typed(cloud, 'balance bob 12.50')).toBe('bob has 12.50');
    expect(rowsOf(cloud, 'users').map((row) => row[4])).toEqual(['12.50', '12.50', '0.00', '0.00']);
  });
});

describe('faults', () => {
  it.each([
    ['fault GET /version status 500', ['GET', 'status 500', 1]],
    ['fault get /version status 500 3', ['GET', 'status 500', 3]],
    ['fault * /version an answer lost always', [undefined, 'an answer lost', 'always']],
  ] as const)('%s', async (line, [method, name, left]) => {
    await using cloud = await startCloud();
    expect(replyTo(cloud, line).kind).toBe('done');
    const match = { path: '/version', ...(method === undefined ? {} : { method }) };
    expect(cloud.plannedFaults()).toEqual([{ match, fault: standardFaults[name], left }]);
    const planned = rowsOf(cloud, 'faults').find(([fault]) => fault === name);
    expect(planned?.[1]).toBe(`${method ?? '*'} /version (${left})`);
    expect(typed(cloud, 'behave')).toBe('no faults are planned');
    expect(cloud.plannedFaults()).toEqual([]);
  });

  it('are all listed by name', async () => {
    await using cloud = await startCloud();
    expect(rowsOf(cloud, 'faults').map(([name]) => name)).toEqual(Object.keys(standardFaults));
  });
});

describe('a line that is not understood', () => {
  it.each([
    ['fly', 'fly is not a command. Type help, or type approve to approve devices'],
    ['add', 'add is not a command. Type help, or type approve to approve devices'],
    ['add document', 'NAME is missing. Type help'],
    ['add file alice', 'PATH is missing. Type help'],
    ['add file alice /nowhere.pdf', '/nowhere.pdf: cannot be read (ENOENT)'],
    ['add document nobody Plan.pdf', 'the simulated cloud has no user nobody'],
    ['add user alice', 'the simulated cloud has a user alice already'],
    ['add card alice', 'CARD is missing. Type help'],
    ['add card nobody C0', 'the simulated cloud has no user nobody'],
    ['balance alice lots', 'write AMOUNT as 12 or 12.50'],
    ['balance nobody 1', 'the simulated cloud has no user nobody'],
    ['fault', 'there is no fault without a name. Type faults'],
    ['fault GET /version rain', 'there is no fault rain. Type faults'],
    ['fault GET /version a reset often', 'TIMES is a whole number above 0, or always'],
  ])('%s', async (line, text) => {
    await using cloud = await startCloud();
    const before = JSON.stringify(cloud.state);
    expect(replyTo(cloud, line)).toEqual({ kind: 'mistake', text });
    expect([JSON.stringify(cloud.state), cloud.plannedFaults()]).toEqual([before, []]);
  });
});

describe('quit', () => {
  it('asks to leave', async () => {
    await using cloud = await startCloud();
    expect(replyTo(cloud, 'quit')).toEqual({ kind: 'quit', text: '' });
  });
});
