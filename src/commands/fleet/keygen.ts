/** `platen fleet keygen`: makes the key pair of a person who signs the configuration of a fleet. */
import { generateKeyPairSync } from 'node:crypto';
import { basename } from 'node:path';
import { fingerprintOf, pemOf } from '../../config/pushed/signature.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { NewFile } from '../new-file.ts';
import { createNewFile } from '../new-file.ts';

export interface KeyFiles {
  readonly own: NewFile;
  readonly forOthers: NewFile;
}

/** Made while the command still runs as the caller. */
export function openKeyFiles({ file }: { readonly file: string }): KeyFiles {
  using opened = new DisposableStack();
  const own = opened.use(createNewFile(file, { mode: 0o600 }));
  const forOthers = opened.use(createNewFile(`${file}.pub`, { mode: 0o644 }));
  for (const one of [own, forOthers]) {
    if (!one.isNew)
      throw new CommandFailed(`${one.path}: exists already. This command never overwrites a key`);
  }
  opened.move();
  return { own, forOthers };
}

export async function keygenCommand({ own, forOthers }: KeyFiles, io: Io): Promise<number> {
  using _own = own;
  using _others = forOthers;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  own.write(String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  forOthers.write(pemOf(publicKey));
  io.out(
    [
      `${own.path} signs configuration. Keep it on the machine from which you push, and keep a copy in a safe place.`,
      `Copy ${forOthers.path} to every gateway as a file of root:`,
      `  install -o root -g root -m 0644 ${basename(forOthers.path)} /etc/platen/fleet-signer.pub`,
      'Then write this into its platen.yaml, and run systemctl restart platen:',
      '  fleet: { signers: [/etc/platen/fleet-signer.pub] }',
      `Fingerprint: ${fingerprintOf(publicKey)}`,
    ].join('\n'),
  );
  return exitCode.ok;
}
