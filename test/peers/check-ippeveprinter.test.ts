/** `platen check` at printers and a spooler written by somebody else: what they can do, and a test page there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Finding } from '../../src/commands/check/examination.ts';
import { commandHere } from '../support/command-here.ts';
import { needsPeer } from '../support/needs.ts';
import { startCupsd } from './cupsd.ts';
import { startIppEvePrinter } from './ippeveprinter.ts';

needsPeer('dbus-daemon', 'dbus-daemon')('with a system bus', () => {
  needsPeer('ippeveprinter', 'cups-ipp-utils')('ippeveprinter', () => {
    it.each(['ipp:', 'ipps:'])(
      'is told over %s, and prints the test page that says so itself',
      async (scheme) => {
        await using peer = await startIppEvePrinter();
        await using folder = await configFolder(peer.uri.replace('ipp:', scheme));
        await peer.say('ATTR: job-impressions-completed=1');
        const reported = await commandHere(['check', '-c', folder.configFile, '--json']);
        const findings = JSON.parse(reported.out) as Finding[];
        expect(findings.find(({ what }) => what === 'printing at lobby')).toMatchObject({
          state: 'ok',
          facts: {
            unchanged: ['application/pdf', 'image/pwg-raster', 'image/urf'],
            sides: ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'],
            confirmation: 'device',
          },
        });

        const printed = await commandHere(['check', '-c', folder.configFile, '--print-test-page', '--json']);
        expect([printed.code, JSON.parse(printed.out)]).toMatchObject([
          0,
          [{ state: 'ok', facts: { state: 'CONFIRMED', impressionsCompleted: 1 } }],
        ]);
        const [page] = await peer.documents();
        expect(page?.toString('latin1')).toContain('(Platen test page)');
        expect((await peer.lastJob())['IPP_JOB_NAME']).toMatch(/^Platen test page /);
      },
    );

    it('that has run out of paper is told, and the page stays unprinted', async () => {
      await using peer = await startIppEvePrinter();
      await using folder = await configFolder(peer.uri);
      await peer.fillTrays(0);
      const { code, out } = await commandHere(['check', '-c', folder.configFile, '--print-test-page']);
      expect([code, out]).toEqual([1, expect.stringContaining('Add paper.')]);
      expect(await peer.documents()).toEqual([]);
    });
  });
});

needsPeer('cupsd', 'cups-daemon')('with CUPS', () => {
  needsPeer('lpadmin', 'cups-client')('a queue', () => {
    it('prints the test page, and the spooler says so', async () => {
      await using peer = await startCupsd();
      await using folder = await configFolder(peer.uri);
      const { code, out } = await commandHere(['check', '-c', folder.configFile, '--print-test-page']);
      expect([code, out]).toEqual([
        0,
        expect.stringContaining('; the spooler confirmed it, and it does not count pages'),
      ]);
      const [page] = await peer.documents();
      expect(page?.toString('latin1')).toContain('(Platen test page)');
    });
  });
});

/** Nothing but the printer is there. */
async function configFolder(uri: string): Promise<AsyncDisposable & { readonly configFile: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-check-'));
  const configFile = join(folder, 'platen.yaml');
  const nowhere = 'http://127.0.0.1:9';
  const config = {
    cloud: { baseUrl: nowhere, authUrl: nowhere, apiKey: 'none' },
    stateDir: join(folder, 'state'),
    terminals: [{ id: 'lobby', serialNumber: 'SN-0001', printer: { uri } }],
  };
  await writeFile(configFile, stringify(config), { mode: 0o600 });
  return {
    configFile,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
