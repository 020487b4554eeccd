import { describe, expect, it } from 'vitest';
import type { Condition } from '../../src/domain/condition.ts';
import type { PrinterDescription } from '../../src/domain/ports/printer-description.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { composeTerminalInfo } from '../../src/status/reporter.ts';

const printer: PrinterDescription = {
  ready: true,
  state: 'idle',
  stateReasons: ['none'],
  acceptingJobs: true,
  formats: ['application/pdf'],
  mediaReady: ['iso_a4_210x297mm'],
  makeAndModel: 'Example 4000',
  firmware: '7.11',
};

const condition = (code: ProblemCode, severity: Condition['severity'], subject = 'thing'): Condition => ({
  code,
  severity,
  scope: 'lobby',
  subject,
  detail: `what was seen of ${code}`,
});

const sight = {
  version: '0.1.0',
  conditions: [],
  changedAt: Date.UTC(2026, 10, 21, 12),
  readers: [
    { name: 'front', kind: 'serial', state: 'up', frames: 12, garbage: 1, reconnects: 2 },
    { name: 'back', kind: 'hid', state: 'down', frames: 0, garbage: 0, reconnects: 0 },
  ],
  printer,
} as const;

describe('what a terminal reports of itself', () => {
  it('is the terminalInfo of the specification, all well', () => {
    expect(composeTerminalInfo(sight)).toEqual({
      deployStatus: { stage: 5, message: '', lastDate: '2026-11-21T12:00:00.000Z' },
      terminalStatus: {
        terminalVersion: '0.1.0',
        installationSource: 1,
        cardReaderData:
          'front (serial): up, 12 frames, 1 garbage, 2 reconnects; back (hid): down, 0 frames, 0 garbage, 0 reconnects',
        modelName: 'Example 4000',
        additionalModelInfo: 'application/pdf, iso_a4_210x297mm',
        firmwareVersion: '7.11',
        status: 1,
        statusMessage: '',
        errorData: '',
        modifiedDate: '2026-11-21T12:00:00.000Z',
      },
    });
  });

  it('tells the conditions in words and in codes', () => {
    const conditions = [
      condition('printer-not-ready', 'error', 'printer'),
      condition('reader-unavailable', 'warning', 'back'),
    ];
    expect(composeTerminalInfo({ ...sight, conditions }).terminalStatus).toMatchObject({
      status: 3,
      statusMessage: 'what was seen of printer-not-ready; what was seen of reader-unavailable',
      errorData: 'printer-not-ready printer; reader-unavailable back',
    });
  });

  it('leaves empty what no printer has told yet', () => {
    const { terminalStatus } = composeTerminalInfo({ ...sight, printer: undefined });
    expect(terminalStatus).toMatchObject({
      modelName: '',
      additionalModelInfo: '',
      firmwareVersion: '',
    });
  });

  it('carries no control character and no endless text of a printer', () => {
    const hostile = { ...printer, makeAndModel: `Evil\u001b[2J\u202e${'x'.repeat(5000)}` };
    const { modelName } = composeTerminalInfo({ ...sight, printer: hostile }).terminalStatus;
    expect(modelName).toMatch(/^Evil\\u001b\[2J\\u202ex+…$/);
    expect(modelName.length).toBeLessThan(600);
  });

  it.each<[Condition['severity'] | 'none', number]>([
    ['none', 1],
    ['warning', 2],
    ['error', 3],
  ])('has for the severity %s the status %i', (severity, status) => {
    const conditions = severity === 'none' ? [] : [condition('reader-unavailable', severity)];
    expect(composeTerminalInfo({ ...sight, conditions }).terminalStatus.status).toBe(status);
  });

  it.each<[ProblemCode[], number]>([
    [[], 5],
    [['printer-unreachable', 'cloud-denied'], 5],
    [['terminal-not-authorized'], 4],
    [['output-port-unknown'], 4],
    [['registration-refused'], 6],
    [['api-key-refused'], 6],
    [['output-port-unknown', 'trust-withdrawn'], 6],
  ])('has for %j the deploy stage %i', (codes, stage) => {
    const conditions = codes.map((code) => condition(code, 'error'));
    expect(composeTerminalInfo({ ...sight, conditions }).deployStatus.stage).toBe(stage);
  });
});
