/** The least configuration over a state directory that is there, as a file in it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** `more`: other sections of it. */
export function configOver(stateDir: string, more: object = {}): string {
  const file = join(stateDir, 'platen.yaml');
  const cloud = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', apiKey: 'k' };
  const terminal = { id: 'lobby', serialNumber: 'SN', printer: { uri: 'ipp://127.0.0.1/ipp/print' } };
  writeFileSync(file, stringify({ cloud, stateDir, terminals: [terminal], ...more }), { mode: 0o600 });
  return file;
}

/** One whose engine is nowhere. */
export const emptyFleet = {
  engine: { url: 'postgresql://platen@127.0.0.1:1/platen' },
  key: Buffer.alloc(32, 7).toString('base64'),
};
