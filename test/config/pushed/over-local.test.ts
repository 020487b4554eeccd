/** The fleet's configuration under a gateway's own file, as every command and the agent read it (F15). */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/load.ts';
import { keptFile, keptText, readKept } from '../../../src/config/pushed/kept.ts';
import type { PushedChoice } from '../../../src/config/pushed/over-local.ts';
import { loadPart, namesPart } from '../../../src/config/part.ts';
import { createSigner } from '../../support/fleet/signed-fleet.ts';
import { needsRoot } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const terminal = { id: 'lobby', serialNumber: 'SN-1', printer: { uri: 'ipp://10.0.0.7/ipp/print' } };
const files = {
  'base.yaml': stringify({ log: { level: 'warn' }, kiosk: { currency: 'EUR' } }),
  'gateways/gw-1.yaml': stringify({ terminals: [terminal] }),
};

/** A gateway that has taken version 1; its own file has `own` besides. */
function gatewayWith(own: object = {}, pushed: Readonly<Record<string, string>> = files) {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  const at = (name: string) => join(temporary.path, name);
  const signer = createSigner();
  writeFileSync(at('signer.pub'), signer.pem);
  const { signed, parts } = signer.version(1, pushed);
  writeFileSync(keptFile(temporary.path), keptText({ accepted: { manifest: signed, parts }, highest: {} }));
  const file = at('platen.yaml');
  const write = (more: object, signers = [at('signer.pub')]) => {
    const cloud = { baseUrl: 'https://cloud.example', authUrl: 'https://cloud.example', apiKey: 'key' };
    const fleet = { engine: { url: 'postgresql://p@127.0.0.1/p' }, key: '00'.repeat(32), signers };
    const config = { cloud, fleet, device: { clientId: 'gw-1' }, stateDir: temporary.path, ...more };
    writeFileSync(file, stringify(config));
  };
  write(own);
  const load = (choice: PushedChoice = {}) => loadConfig(file, {}, choice);
  return { at, file, write, load, stateDir: temporary.path };
}

// Signers count where only root may write their keys.
needsRoot()('a file of the gateway over the fleet’s configuration', () => {
  it('F15: is read by every command, and the own file stands before it and says where', () => {
    const { file, load } = gatewayWith({ log: { level: 'debug' } });
    const choice: PushedChoice = {};
    expect(load(choice)).toMatchObject({
      log: { level: 'debug' },
      kiosk: { currency: 'EUR' },
      terminals: [{ id: 'lobby' }],
    });
    expect(choice.found).toEqual({ version: 1, shadowed: ['log.level'], isNew: true });
    expect(loadPart(file, {}, namesPart).part.terminals).toMatchObject([{ id: 'lobby' }]);
  });

  it('F15: tells a mistake where it stands: in the own file by its line, in a part by its name', () => {
    const { load } = gatewayWith({ terminals: [{ id: 'lobby', place: 7 }] });
    expect(load).toThrow(/platen\.yaml:\d+: terminals\[0\]\.place: must be/);
    const missing = { ...files, 'base.yaml': stringify({ cloud: { caFile: 'missing.pem' } }) };
    expect(gatewayWith({}, missing).load).toThrow(
      /^base\.yaml of the fleet's configuration: cloud\.caFile: cannot read \S+missing\.pem \(ENOENT\)$/,
    );
  });

  it('F15: is not read where nobody may sign any more, or it was changed; where something better is in force it is a mistake', () => {
    const { write, load, stateDir } = gatewayWith();
    write({}, []);
    expect(load().terminals).toEqual([]);
    write({});
    const path = keptFile(stateDir);
    writeFileSync(path, keptText(readKept(stateDir)).replace('lobby', 'annex'));
    const choice: PushedChoice = {};
    expect(load(choice).terminals).toEqual([]);
    expect(choice.found?.refused).toBe('the part gateways/gw-1.yaml was changed after it was signed');
    expect(() => load({ tried: readKept(stateDir).accepted })).toThrow(/^the configuration of the fleet: /);
    expect(() => load({ mustFit: true })).toThrow(/^the configuration of the fleet: the part .* was changed/);
    writeFileSync(path, '{');
    expect(load(choice).terminals).toEqual([]);
    expect(choice.found?.refused).toBe(`${path} is damaged`);
  });

  it('F15: is that on which the agent started last, where it could not start on the one that it took', () => {
    const { load, stateDir } = gatewayWith();
    const keep = (more: object) =>
      writeFileSync(keptFile(stateDir), keptText({ ...readKept(stateDir), ...more }));
    const choice: PushedChoice = {};
    expect(load(choice).terminals).toHaveLength(1);
    expect(choice.found).toEqual({ version: 1, shadowed: [], isNew: true });
    const unfit = { version: 1, why: 'an address is taken' };
    keep({ unfit: unfit.why });
    expect(load(choice).terminals).toEqual([]);
    expect(choice.found).toEqual({ version: 0, shadowed: [], unfit });
    const { accepted } = readKept(stateDir);
    keep({ started: accepted, unfit: unfit.why });
    expect(load(choice).terminals).toHaveLength(1);
    expect(choice.found).toEqual({ version: 1, shadowed: [], unfit });
    keep({ started: accepted, unfit: undefined });
    load(choice);
    expect(choice.found).toEqual({ version: 1, shadowed: [] });
  });

  it('F15: believes no key behind a link, no private key, and no other kind of key', () => {
    const { at, write, load } = gatewayWith();
    symlinkSync(at('signer.pub'), at('link.pub'));
    const because = (signer: string) => {
      write({}, [at(signer)]);
      try {
        load();
      } catch (error) {
        return (error as Error).message.replace(/^.*signers\[0\]: /, '');
      }
      return 'nothing';
    };
    expect(because('link.pub')).toBe(`is a link or is behind one. Write ${at('signer.pub')}`);
    writeFileSync(at('own'), '-----BEGIN PRIVATE KEY-----\n');
    expect(because('own')).toBe(
      `${at('own')} contains a private key, which must not be on a gateway. Write the path of its .pub file`,
    );
    writeFileSync(at('note'), 'a note');
    expect(because('note')).toBe(
      `${at('note')} contains no public Ed25519 key. platen fleet keygen writes one`,
    );
    expect(because('none.pub')).toBe(`cannot read ${at('none.pub')} (ENOENT)`);
  });
});
