/**
 * `platen check` says of a printer that cannot be printed to that it cannot, and of the others what their habits mean.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding, Pending } from '../../src/commands/check/examination.ts';
import { examineAll } from '../../src/commands/check/examination.ts';
import { examinePrinter } from '../../src/commands/check/printer/printer.ts';
import { whileWaiting } from '../../src/commands/check/waiting.ts';
import { loadConfig } from '../../src/config/load.ts';
import { seconds } from '../../src/core/duration.ts';
import { attribute } from '../../src/ipp/message.ts';
import { operations } from '../../src/ipp/registry.ts';
import { enumValue, mimeMediaType } from '../../src/ipp/values.ts';
import type { PrinterOptions } from '../../src/simulator/printer/printer.ts';
import { commandHere, silentIo } from '../support/command-here.ts';
import type { Stage, StageOptions } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

async function check({ configFile }: Stage) {
  const { code, out } = await commandHere(['check', '-c', configFile, '--json']);
  const findings = JSON.parse(out) as Finding[];
  return { code, findings, line: (what: string) => findings.find((one) => one.what === what) };
}

const questionsOnly = attribute(
  'operations-supported',
  ...(['Get-Printer-Attributes', 'Get-Jobs', 'Get-Job-Attributes', 'Cancel-Job'] as const).map((name) =>
    enumValue(operations[name]),
  ),
);

const useless: readonly [string, StageOptions, string, RegExp][] = [
  [
    'takes no document by any operation',
    { printer: { attributes: [questionsOnly] } },
    'printer-incapable',
    /^the printer has no operation .*Print-Job\. Switch on IPP printing/,
  ],
  [
    'takes no format that can be made',
    { printer: { attributes: [attribute('document-format-supported', mimeMediaType('text/calendar'))] } },
    'printer-incapable',
    /it lists text\/calendar\. Switch on IPP printing/,
  ],
  [
    'rejects jobs while it rests',
    { printer: { habits: ['rejecting'] } },
    'printer-rejecting',
    /accepts no jobs, and does nothing\. .*Let the queue accept jobs again/,
  ],
];

describe('a printer that', () => {
  it.each(useless)('%s is not well', async (_, options, code, detail) => {
    await using stage = await setStage(options);
    const found = await check(stage);
    expect([found.code, found.line('printer of lobby')]).toMatchObject([
      1,
      { state: 'failed', code, detail: expect.stringMatching(detail), facts: { code } },
    ]);
    const printing = code === 'printer-incapable' ? 'waiting' : 'ok';
    expect(found.line('printing at lobby')?.state).toBe(printing);
  });

  it.each(useless)('%s is not ready for the agent either', async (_, options, code, detail) => {
    await using stage = await setStage(options);
    await using agent = await stage.start();
    expect(await agent.told('condition raised', (record) => record['code'] === code)).toMatchObject({
      detail: expect.stringMatching(detail),
    });
  });
});

it('a printer that accepts no jobs is nowhere called idle, and the terminal line has the code too', async () => {
  await using stage = await setStage({ printer: { habits: ['rejecting'] } });
  await using agent = await stage.start();
  await agent.told('condition raised', ({ code }) => code === 'printer-rejecting');
  const { out } = await commandHere(['status', '-c', stage.configFile]);
  expect(out).toMatch(/^\* lobby .* accepts no jobs /m);
  expect(out).toMatch(/^ +printer: \S+ accepts no jobs$/m);
  const found = await check(stage);
  expect(found.line('terminal lobby')).toMatchObject({ state: 'skipped', because: 'printer of lobby' });
  expect(out + JSON.stringify(found.line('printer of lobby'))).not.toMatch(/\bidle\b/);
});

describe('the habits of a printer', () => {
  const habitsOf = async (printer: PrinterOptions, terminal: Readonly<Record<string, unknown>> = {}) => {
    await using stage = await setStage({ printer, terminal });
    const { line } = await check(stage);
    expect(line('printer of lobby')?.state).toBe('ok');
    return line('printing at lobby');
  };

  it('by Print-Job alone are told with what is lost by it', async () => {
    expect(await habitsOf({ habits: ['print-job-only'] })).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/only by Print-Job: .*the release is unknown/),
      facts: { habits: expect.arrayContaining([expect.objectContaining({ habit: 'oneStep', value: true })]) },
    });
  });

  it('of refusing questions about jobs are told by their status', async () => {
    expect(await habitsOf({ habits: ['refuses-job-questions=0403'] })).toMatchObject({
      detail: expect.stringMatching(
        /cannot confirm a print, .*refuses questions about a job \(client-error-not-authorized\), so Platen asks once for its list/,
      ),
      facts: { confirmation: 'handed-over' },
    });
  });

  it('of telling nothing of jobs make a completed release a handed-over one', async () => {
    expect(
      await habitsOf({ habits: ['refuses-job-questions=0501', 'refuses-job-lists=0501'] }),
    ).toMatchObject({
      detail: expect.stringMatching(
        /does not answer questions about its jobs .*: a document that it accepted completely is handed over/,
      ),
      facts: { confirmation: 'handed-over' },
    });
  });

  it('that are remembered are read from where the agent keeps them', async () => {
    await using stage = await setStage();
    const path = join(stage.folder, 'state', 'printers', 'lobby.pin');
    const habits = {
      counts: 'while-printing',
      version: '1.1',
      refusesNames: ['document-name'],
      cutsNamesAt: 63,
    };
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const known = {
      [new URL(stage.printer.uri.replace('ipp:', 'http:')).host]: { uri: stage.printer.uri, habits },
    };
    await writeFile(path, JSON.stringify(known), { mode: 0o600 });
    const { line } = await check(stage);
    expect(line('printing at lobby')).toMatchObject({
      detail: expect.stringMatching(
        /with 0 counted, nothing was printed; understands IPP\/1\.1, .*; refuses document-name: Platen leaves it out; cuts job-names after 63 octets, so Platen writes the release's id in front/,
      ),
      facts: {
        habits: [
          { habit: 'counts', value: 'while-printing' },
          { habit: 'version', value: '1.1' },
          { habit: 'refusesNames', value: ['document-name'] },
          { habit: 'cutsNamesAt', value: 63 },
          { habit: 'jobQuestions', value: 'answers' },
        ],
      },
    });
  });
});

it('a printer that sleeps is given its time, and the last line says that it is waking up', async () => {
  await using stage = await setStage({ printer: { habits: ['sleeping=5'] } });
  stage.printer.fallAsleep();
  const config = loadConfig(stage.configFile, {});
  const said: string[] = [];
  const screen = { columns: 80, rows: 24, hasColor: false, write: (text: string) => void said.push(text) };
  const { signal } = new AbortController();
  const pending: Pending = new Map();
  const steps = config.terminals.flatMap((terminal) =>
    examinePrinter(
      { config, terminal, io: silentIo, status: async () => undefined },
      { needs: [], of: 'lobby', isDefault: true },
    ),
  );
  const findings = await whileWaiting(examineAll(steps, { signal }, { pending }), { pending, screen });
  expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
  expect(said.join('')).toContain('waiting for printer of lobby, which is waking up, printing at lobby');
});

it('a printer that sleeps is waited for where somebody is there, and not by a monitoring system', async () => {
  await using stage = await setStage();
  const config = loadConfig(stage.configFile, {});
  const limits = (isUnattended: boolean) =>
    config.terminals
      .flatMap((terminal) =>
        examinePrinter(
          { config, terminal, io: silentIo, isUnattended },
          { needs: [], of: 'lobby', isDefault: true },
        ),
      )
      .map(({ limit }) => limit);
  expect(limits(false)).toEqual([seconds(50), seconds(50), seconds(50)]);
  expect(limits(true)).toEqual([seconds(15), seconds(15), seconds(15)]);
});
