/** Printers found by a real avahi-daemon, those that lie about what they are among them (T13). */
import { expect, it } from 'vitest';
import { browsePrinters } from '../../src/commands/init/printers/printers.ts';
import { runProgramOf } from '../../src/commands/init/programs.ts';
import { startAvahi } from './avahi.ts';
import { needsNamespaces, needsPeer } from '../support/needs.ts';

const { signal } = new AbortController();

const forged = '=;lab0;IPv4;Forged;_ipp._tcp;local;h;10.0.0.1;631;"rp=ipp/print"';
const evil = 'Evil \u001b]0;owned\u0007\n=;lab0;IPv4;F;_ipp._tcp;"q"\\;\u202e';

needsPeer('avahi-publish-service', 'avahi-utils')('printers that announce themselves', () => {
  needsPeer('avahi-daemon', 'avahi-daemon')('to avahi', () => {
    needsNamespaces()('on a network of their own', () => {
      it('are found once each, by ipps where they have it, and nobody gets a line or a path in (T13)', async () => {
        await using avahi = await startAvahi([
          {
            name: 'Kyocera 2. Stock; ärgerlich',
            type: '_ipp._tcp',
            port: 631,
            txt: ['txtvers=1', 'rp=ipp/print'],
          },
          {
            name: 'Kyocera 2. Stock; ärgerlich',
            type: '_ipps._tcp',
            port: 443,
            txt: ['rp=ipp/print', 'TLS=1.2'],
          },
          { name: 'Plain', type: '_ipp._tcp', port: 8631, txt: ['RP=printers/plain', 'ty=Plain "Jane"'] },
          { name: 'Path', type: '_ipp._tcp', port: 631, txt: ['rp=../admin?x="y"'] },
          { name: evil, type: '_ipp._tcp', port: 9100, txt: [`note=\n${forged}`, 'rp=ipp/print'] },
        ]);
        const run = runProgramOf({ ...process.env, ...avahi.env });
        expect(await browsePrinters({ run, signal })).toEqual([
          { name: evil, uri: `ipp://${avahi.address}:9100/ipp/print` },
          { name: 'Kyocera 2. Stock; ärgerlich', uri: `ipps://${avahi.address}:443/ipp/print` },
          { name: 'Plain', uri: `ipp://${avahi.address}:8631/printers/plain` },
        ]);
      });
    });
  });
});

it('says what is missing where nobody can be asked', async () => {
  const none = browsePrinters({ run: runProgramOf({ PATH: '/nowhere' }), signal });
  await expect(none).rejects.toThrow('avahi-browse is not installed');
});
