/** `platen check` tells what a printer can do and what follows, and prints a page there. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/commands/check/examination.ts';
import { attribute } from '../../src/ipp/message.ts';
import { boolean, keyword, rangeOfInteger } from '../../src/ipp/values.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import { commandHere } from '../support/command-here.ts';
import { runProgram } from '../support/program.ts';
import type { StageOptions } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

async function check(configFile: string, ...more: readonly string[]) {
  const { code, out, error } = await commandHere(['check', '-c', configFile, '--json', ...more]);
  const findings = out === '' ? [] : (JSON.parse(out) as Finding[]);
  return { code, error, findings, line: (what: string) => findings.find((one) => one.what === what) };
}

describe('what a printer can do', () => {
  it('is told in words and as fields, with what Platen will do', async () => {
    await using stage = await setStage({
      printer: {
        attributes: [
          attribute('color-supported', boolean(false)),
          attribute('copies-supported', rangeOfInteger(1, 1)),
          attribute('sides-supported', keyword('one-sided')),
        ],
      },
    });
    const { line } = await check(stage.configFile);
    expect(line('printer of lobby')).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('is idle'),
    });
    expect(line('printing at lobby')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(
        /PDF, PWG raster, and JPEG go unchanged.*PostScript, PNG, TIFF, and plain text are converted to PDF.*grey only.*one side only.*one copy, Platen makes more.*confirms a print itself/,
      ),
      facts: {
        makeAndModel: 'Platen Virtual Printer',
        unchanged: expect.arrayContaining(['application/pdf']),
        color: 'monochrome',
        sides: ['one-sided'],
        converted: { 'application/postscript': 'application/pdf' },
        copies: { by: 'printer', most: 1, beyond: 'software' },
        counts: 'unknown',
        confirmation: 'device',
      },
    });
  });

  it('goes with what keeps it from printing, in a sentence with an advice', async () => {
    await using stage = await setStage();
    await stage.printer.behave({ kind: 'stopped', reason: 'media-empty-error' });
    const { code, line } = await check(stage.configFile);
    expect(code).toBe(1);
    expect(line('printer of lobby')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/^The printer is out of paper\. Add paper\. .*media-empty-error$/),
    });
    expect(line('printing at lobby')?.state).toBe('ok');
  });

  it('is not known of a printer that does not answer, which is one failure', async () => {
    await using stage = await setStage();
    await stage.printer.behave({ kind: 'refuse-connections' });
    const { findings, line } = await check(stage.configFile);
    expect(findings.filter(({ state }) => state === 'failed').map(({ what }) => what)).toEqual([
      'printer of lobby',
    ]);
    expect(line('printing at lobby')).toMatchObject({ state: 'waiting', detail: 'not known' });
  });
});

it.each([
  ['other-path=/ipp/port1', 'printer-path-unknown', /write uri: ipp:\/\/127\.0\.0\.1:\d+\/ipp\/port1$/],
  [
    'missing-queue=/ipp/printer',
    'printer-path-unknown',
    /client-error-not-found: .*write uri: ipp:\/\/127\.0\.0\.1:\d+\/ipp\/printer$/,
  ],
  [
    'missing-queue=/printers/third-floor',
    'printer-path-unknown',
    /write uri: cups:\/\/127\.0\.0\.1:\d+\/third-floor$/,
  ],
  ['no-printer', 'printer-path-unknown', /No printer answers at .*\/ipp\/printer, .* either\./],
  ['web-page', 'printer-no-ipp', /as text\/html\. No printer answers at /],
  ['wants-tls', 'printer-tls-wanted', /Write uri: ipps:\/\/127\.0\.0\.1:\d+\/ipp\/print\./],
] as const)(
  'a device with the habit %s is told as what answers, with the line to write',
  async (habit, code, words) => {
    await using stage = await setStage({ printer: { habits: [habit] } });
    const { line } = await check(stage.configFile);
    expect(line('printer of lobby')).toMatchObject({
      state: 'failed',
      code,
      detail: expect.stringMatching(words),
    });
  },
);

describe('the test page', () => {
  const stageWith = async (options: StageOptions, behaviour?: PrinterBehaviour) => {
    const stage = await setStage(options);
    if (behaviour) await stage.printer.behave(behaviour);
    return stage;
  };

  it('comes out once, says whose it is, and is confirmed with the page that the printer counted', async () => {
    await using stage = await setStage();
    const args = ['check', '-c', stage.configFile, '--print-test-page', '--json'];
    const { code, stdout } = await runProgram(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        what: 'test page at lobby',
        state: 'ok',
        detail: 'printed as job 1; the printer confirmed it, and it counted 1 page',
        facts: { state: 'CONFIRMED', outcome: 'completed', jobId: 1, impressionsCompleted: 1, code: null },
      },
    ]);
    const { outputs, deviations } = stage.printer;
    expect(outputs).toMatchObject([
      { jobName: expect.stringMatching(/^Platen test page \[/), complete: true },
    ]);
    const page = await readFile(outputs[0]?.file ?? '', 'latin1');
    for (const text of ['Platen test page', 'Terminal: lobby', `Printer: ${stage.printer.uri}`, 'Time: 20']) {
      expect(page).toContain(`(${text}`);
    }
    // Nothing of it is in the service's history, nor in the ledger.
    expect([stage.cloud.calls, stage.cloud.state.history]).toEqual([[], []]);
    const list = await commandHere(['releases', 'list', '-c', stage.configFile, '--json']);
    expect(list.out).not.toContain('test page');
    expect(deviations).toEqual([]);
  });

  it('is handed over to a raw printer, which is told', async () => {
    await using raw = await startVirtualSocketPrinter();
    await using stage = await setStage({ terminal: { printer: { uri: raw.uri } } });
    const { code, findings } = await check(stage.configFile, '--print-test-page', 'lobby');
    expect([code, findings]).toMatchObject([
      0,
      [{ state: 'ok', facts: { state: 'HANDED-OVER', outcome: 'completed', jobId: null } }],
    ]);
    expect(raw.outputs).toMatchObject([
      { jobName: expect.stringContaining('Platen test page'), complete: true },
    ]);
  });

  it('waits its turn beside a running agent', async () => {
    await using stage = await setStage();
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const { code } = await check(stage.configFile, '--print-test-page');
    expect([code, stage.printer.outputs.length]).toEqual([0, 1]);
    expect(stage.cloud.state.history).toEqual([]);
  });

  it.each<[string, PrinterBehaviour, object, RegExp]>([
    [
      'printer out of paper',
      { kind: 'stopped', reason: 'media-empty-error' },
      { state: 'NOOUTPUT', code: 'printer-not-ready' },
      /^not printed: .*Add paper\.$/,
    ],
    [
      'printer that gives the job up, and never counted before',
      { kind: 'abort', afterPages: 0 },
      { state: 'UNKNOWN', jobId: 1 },
      /^nobody knows whether it was printed as job 1. Look at the tray/,
    ],
    [
      'printer that breaks off',
      { kind: 'reset', afterBytes: 100 },
      { outcome: 'unknown', code: 'transfer-broken' },
      /^nobody knows whether it was printed as job 1. Look at the tray: /,
    ],
  ])('ends with exit 1 at a %s, in words', async (_, behaviour, facts, detail) => {
    await using stage = await stageWith({}, behaviour);
    const { code, findings } = await check(stage.configFile, '--print-test-page');
    expect([code, findings]).toMatchObject([
      1,
      [{ state: 'failed', facts, detail: expect.stringMatching(detail) }],
    ]);
    expect(stage.printer.outputs.filter(({ complete }) => complete)).toEqual([]);
  });

  it('needs to know at which of several terminals', async () => {
    await using stage = await setStage({ others: [{ id: 'attic', serialNumber: 'SN-0002' }] });
    const unsaid = await check(stage.configFile, '--print-test-page');
    expect([unsaid.code, unsaid.error]).toEqual([
      1,
      expect.stringContaining('Give the terminal: --print-test-page ID. Terminals: lobby, attic.'),
    ]);
    const unknown = await check(stage.configFile, '--print-test-page', 'cellar');
    expect([unknown.code, unknown.error]).toEqual([
      1,
      expect.stringContaining('There is no terminal cellar.'),
    ]);
    expect((await check(stage.configFile, '--print-test-page', 'attic')).code).toBe(0);
  });
});
