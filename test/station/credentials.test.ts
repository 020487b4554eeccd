/** The address of a printer changes mid-run: whoever stands at the new one collects no credentials (T12). */
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { SettingSource } from '../../src/domain/terminal/terminal-settings.ts';
import { createAddressGuard } from '../../src/printing/address-guard.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import type { Whereabouts } from '../../src/station/printer.ts';
import { StationPrinter } from '../../src/station/printer.ts';
import { password, startGuardedPrinter } from '../support/printer/guarded-printer.ts';
import { recordLog } from '../support/recorded-log.ts';
import { withoutLimit } from '../support/patience.ts';

const at = (uri: string, from: SettingSource): Whereabouts => ({
  printerUri: { value: uri, from },
  printProtocol: { value: 'ipp', from },
});

it.each(['Basic', 'MD5', 'SHA-256'] as const)('by %s', async (scheme) => {
  const own = await startGuardedPrinter({ scheme });
  const collector = await startGuardedPrinter({ scheme });
  const { log, text } = recordLog();
  const printer = new StationPrinter({
    at: at(own.uri, 'config'),
    guard: createAddressGuard({
      network: { allow: ['127.0.0.1/32'], ports: [{ first: 1, last: 65_535 }], schemes: ['ipp'] },
    }),
    isInUse: () => false,
    onMove: () => {},
    outputType: 'auto',
    pjl: 'auto',
    plainFolder: '/nowhere',
    stall: seconds(5),
    chance: systemChance,
    clock: systemClock,
    log,
    trust: systemTrust(),
    access: {
      memory: { recall: () => undefined, keep: () => {}, all: () => [] },
      tls: { trust: 'auto' },
      credentials: { username: 'alice', password: new Secret(password) },
      chance: systemChance,
    },
  });
  onTestFinished(() => printer[Symbol.asyncDispose]());
  const describePrinter = () => printer.describe(withoutLimit());
  await describePrinter();
  printer.moveTo(at(collector.uri, 'output port'));
  await expect(describePrinter()).rejects.toMatchObject({ code: 'printer-denied' });
  expect(own.visits.at(-1)).toMatchObject({ status: 200 });
  expect(collector.visits.map(({ authorization }) => authorization)).toEqual([undefined]);
  expect(text()).not.toContain(password);
});
