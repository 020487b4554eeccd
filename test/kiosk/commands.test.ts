/** What a page may say to its terminal, and what becomes of it: `POST /t/<id>/commands` (contract, section 4). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { pageHeader } from '../../src/kiosk/frame.ts';
import { ofThePage, prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import { listen, openPage } from './open-stream.ts';

const document = (uuid: string, standing: 'releasable' | 'may-have-printed') => ({
  uuid,
  name: `${uuid}.pdf`,
  pages: 1,
  copies: 1,
  color: false,
  sides: undefined,
  standing,
});
const offering: TerminalView = { ...prompting, offers: ['short-id', 'password', 'name', 'email'] };
const askingPin: TerminalView = { ...prompting, generation: 2, state: 'askingPin', asks: 'pin' };
const enrolling: TerminalView = { ...prompting, generation: 3, state: 'enrolling', asks: 'enrollment' };
const choosing: TerminalView = {
  generation: 4,
  state: 'choosing',
  sentence: '',
  waiting: 1,
  documents: [document('d-1', 'releasable'), document('d-2', 'may-have-printed')],
  mayHavePrinted: [{ documentUuid: 'd-2' }],
};
const looking: TerminalView = {
  ...choosing,
  offersPreview: true,
  preview: { documentUuid: 'd-1', page: 1, stage: 'making' },
};
const files = [{ folder: '', name: 'a.pdf', octets: 1 }];
const stickIn: TerminalView = { ...choosing, stick: { stage: 'in', edition: 0 } };
const stickOpen: TerminalView = { ...choosing, stick: { stage: 'files', edition: 2, files } };

const commands: readonly [TerminalView, Readonly<Record<string, unknown>>, string, object][] = [
  [
    offering,
    { command: 'log-in', generation: 1, way: 'short-id', shortId: '4711' },
    'log-in',
    { generation: 1, credentials: { kind: 'short-id', shortId: '4711' } },
  ],
  [
    offering,
    { command: 'log-in', generation: 1, way: 'password', userName: 'alice', password: 'pw' },
    'log-in',
    { generation: 1, credentials: { kind: 'password', userName: 'alice', password: 'pw' } },
  ],
  [
    offering,
    { command: 'log-in', generation: 1, way: 'name', userName: 'alice' },
    'log-in',
    { generation: 1, credentials: { kind: 'name', userName: 'alice' } },
  ],
  [
    offering,
    { command: 'log-in', generation: 1, way: 'email', email: 'a@b.example' },
    'log-in',
    { generation: 1, credentials: { kind: 'email', email: 'a@b.example' } },
  ],
  [askingPin, { command: 'pin', generation: 2, pin: '0815' }, 'pin', { generation: 2, pin: '0815' }],
  [
    enrolling,
    { command: 'enrol', generation: 3, userName: 'alice', password: 'pw' },
    'enrol',
    { generation: 3, userName: 'alice', password: 'pw' },
  ],
  [
    choosing,
    { command: 'release', generation: 4, documentUuids: ['d-1', 'd-2'] },
    'release',
    { generation: 4, documentUuids: ['d-1', 'd-2'] },
  ],
  [
    looking,
    { command: 'preview', generation: 4, documentUuid: 'd-1', page: 2 },
    'preview',
    { generation: 4, documentUuid: 'd-1', page: 2 },
  ],
  [looking, { command: 'end-preview', generation: 4 }, 'end-preview', { generation: 4 }],
  [stickIn, { command: 'open-stick', generation: 4 }, 'open-stick', { generation: 4 }],
  [
    stickOpen,
    { command: 'bring-file', generation: 4, file: 0, edition: 2 },
    'bring-file',
    { generation: 4, file: 0, edition: 2 },
  ],
  [stickOpen, { command: 'close-stick', generation: 4 }, 'close-stick', { generation: 4 }],
  [
    choosing,
    { command: 'delete', generation: 4, documentUuids: ['d-1'] },
    'delete',
    { generation: 4, documentUuids: ['d-1'] },
  ],
  [
    choosing,
    { command: 'print-again', generation: 4, documentUuid: 'd-2' },
    'print-again',
    { generation: 4, documentUuid: 'd-2' },
  ],
  [
    choosing,
    { command: 'it-is-there', generation: 4, documentUuid: 'd-2' },
    'it-is-there',
    { generation: 4, documentUuid: 'd-2' },
  ],
  [choosing, { command: 'still-there', generation: 4 }, 'still-there', { generation: 4 }],
  [choosing, { command: 'log-out', generation: 4 }, 'log-out', { generation: 4 }],
];

describe('a command', () => {
  it.each(commands.map((one) => [JSON.stringify(one[1]), ...one] as const))(
    '%s is passed on',
    async (_, view, body, word, said) => {
      const stage = await openKiosk();
      const cookie = await openPage(stage);
      stage.show(view);
      const answer = await stage.command(body, { cookie });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(stage.told).toEqual([[word, said]]);
    },
  );

  it('to another view than it was drawn for is refused, and the terminal hears nothing of it (D2, I3)', async () => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    for (const [view, body] of commands) {
      for (const generation of [view.generation - 1, view.generation + 1, 0]) {
        stage.show(view);
        expect((await stage.command({ ...body, generation }, { cookie })).status).toBe(409);
        await stage.clock.advance(seconds(1));
      }
    }
    expect(stage.told).toEqual([]);
  });

  it('that the view does not offer is refused, and the terminal hears nothing of it', async () => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    const anyWhere = [
      { command: 'delete', documentUuids: ['d-2'] },
      { command: 'release', documentUuids: ['d-2', 'd-9'] },
      { command: 'print-again', documentUuid: 'd-1' },
    ];
    const bodies = [...commands.map(([, body]) => body), ...anyWhere];
    const plain = { ...prompting, generation: 5 };
    const outOfService = { ...plain, state: 'outOfService' };
    for (const view of [plain, outOfService, { ...plain, offers: [] }]) {
      stage.show(view);
      for (const body of bodies) {
        expect((await stage.command({ ...body, generation: 5 }, { cookie })).status).toBe(409);
        await stage.clock.advance(seconds(1));
      }
    }
    stage.show(choosing);
    for (const body of anyWhere) {
      expect((await stage.command({ ...body, generation: 4 }, { cookie })).status).toBe(409);
    }
    expect(stage.told).toEqual([]);
  });

  const bodies: readonly [string, number, string][] = [
    ['nothing', 400, ''],
    ['half of one', 400, '{"command":"log-out","gene'],
    ['no object', 400, '[]'],
    ['null', 400, 'null'],
    ['none of the verbs', 400, '{"command":"print-config","generation":1}'],
    ['one without a generation', 400, '{"command":"log-out"}'],
    ['one with a generation as text', 400, '{"command":"log-out","generation":"1"}'],
    [
      'one with more than is asked for',
      400,
      '{"command":"log-out","generation":1,"url":"http://evil.example"}',
    ],
    ['one with a prototype', 400, '{"command":"log-out","generation":1,"__proto__":{}}'],
    ['a path for a document', 400, '{"command":"print-again","generation":1,"documentUuid":"../x"}'],
    ['no document', 400, '{"command":"release","generation":1,"documentUuids":[]}'],
    ['4096 octets, and out of place', 409, '{"command":"log-out","generation":1}'.padEnd(4096)],
    ['4097 octets', 413, '{"command":"log-out","generation":1}'.padEnd(4097)],
  ];
  it.each(bodies)('that is %s is answered with %i', async (_what, status, body) => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    const headers = { ...ofThePage, [pageHeader]: stage.shown.name, cookie };
    const answer = await stage.get('/t/lobby/commands', { method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([status, '']);
    expect(stage.told).toEqual([]);
    expect(stage.recorded.records('kiosk request failed')).toEqual([]);
  });

  it('may be anything at all: the answer is empty, and of the few that are known', async () => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    const headers = { ...ofThePage, [pageHeader]: stage.shown.name, cookie };
    const some = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          command: fc.constantFrom(...commands.map(([, { command }]) => command)),
          generation: fc.oneof(fc.integer(), fc.double(), fc.string()),
          way: fc.constantFrom('short-id', 'password', '__proto__'),
          documentUuids: fc.oneof(fc.array(fc.string()), fc.object()),
        })
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(some, async (body) => {
        await stage.clock.advance(seconds(1));
        const answer = await stage.get('/t/lobby/commands', { method: 'POST', headers, body });
        expect([400, 409]).toContain(answer.status);
        expect(await answer.text()).toBe('');
      }),
      { numRuns: 200 },
    );
    expect(stage.told).toEqual([]);
    expect(stage.recorded.records('kiosk request failed')).toEqual([]);
  });

  it('leaves nothing of what was typed in the log, in an answer or on a stream (I5)', async () => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    const streams = [await listen(stage), await listen(stage, cookie)];
    const canary = 'canary-7f3a9c21';
    stage.show(offering);
    const typed = { command: 'log-in', generation: 1, way: 'password', userName: canary, password: canary };
    const headers = { ...ofThePage, [pageHeader]: stage.shown.name, cookie };
    const answers = [
      await stage.command(typed, { cookie }),
      await stage.command({ ...typed, generation: 9 }, { cookie }),
      await stage.command({ ...typed, password: { canary } }, { cookie }),
      await stage.command(typed, { 'content-type': canary, cookie }),
      await stage.get('/t/lobby/commands', { method: 'POST', headers, body: `{"pin":"${canary}` }),
      await stage.get(`/t/lobby?launch=${canary}`),
    ];
    const said = await Promise.all(
      answers.map(async (answer) => `${JSON.stringify([...answer.headers])}${await answer.text()}`),
    );
    expect(said.join('')).not.toContain(canary);
    expect(stage.recorded.text()).not.toContain(canary);
    expect(streams.map((stream) => stream.text()).join('')).not.toContain(canary);
  });

  it('is one of forty at once and twenty a second; what is too much is refused with 429 (T28)', async () => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    stage.show(choosing);
    const many = async (count: number) => {
      let done = 0;
      for (let sent = 0; sent < count; sent += 1) {
        const { status } = await stage.command({ command: 'still-there', generation: 4 }, { cookie });
        expect([204, 429]).toContain(status);
        if (status === 204) done += 1;
      }
      return done;
    };
    expect(await many(60)).toBe(40);
    await stage.clock.advance(seconds(1));
    expect(await many(60)).toBe(20);
    expect(stage.told).toHaveLength(60);
  });
});
