/**
 * The AppArmor profiles of the package (T17, T26): accepted by apparmor_parser without a word, and named by the units. What
 * they let through and refuse is shown before a kernel that has it (`test/proof/machines`).
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addressListFile } from '../../../src/operations/address-list.ts';
import { needsPeer } from '../../support/needs.ts';

const run = promisify(execFile);
/** What Debian 12's parser takes a kernel to know, where there is none to ask. */
const features = '/usr/share/apparmor-features/features';
const profiles = ['platen', 'platen-converter', 'platen-stick', 'platen-kiosk'];

describe('the units', () => {
  it.each([
    ['platen.service', 'platen'],
    ['platen-converter@.service', 'platen-converter'],
    ['platen-stick@.service', 'platen-stick'],
    ['platen-kiosk.service', 'platen-kiosk'],
  ])('%s asks for its profile, and starts without it where there is no AppArmor', (unit, profile) => {
    expect(readFileSync(`systemd/${unit}`, 'utf8')).toContain(`\nAppArmorProfile=-${profile}\n`);
    expect(readFileSync(`systemd/apparmor/${profile}`, 'utf8')).toContain(`\nprofile ${profile} `);
  });
});

it('the profile of the agent lets it read the list of its addresses, without which it could not tell whom that lacks', () => {
  const rules = readFileSync('systemd/apparmor/platen', 'utf8').split('\n');
  expect(rules).toContain(`  ${addressListFile} r,`);
});

needsPeer('apparmor_parser', 'apparmor')('apparmor_parser', () => {
  it.each(profiles)('takes the profile %s, and warns of nothing', async (profile) => {
    const said = await run('/sbin/apparmor_parser', [
      '--skip-kernel-load',
      '--skip-cache',
      '-M',
      features,
      `systemd/apparmor/${profile}`,
    ]);
    expect(said).toEqual({ stdout: '', stderr: '' });
  });
});
