/** A converter that misbehaves in every way it can, shut in each room (INVARIANTS.md T17; B.4, 6 Convert). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { marked, outcomeOf, processesNamed, sandboxContract } from '../../contracts/sandbox.ts';
import { sandboxWith } from '../../support/printer/conversion-samples.ts';
import { withoutLimit } from '../../support/patience.ts';

const soon = { limits: { wall: seconds(0.5) } };

/** Where the system gives no user namespaces, the other rooms are tested all the same. */
const room = await sandboxWith({ programs: { ghostscript: '/bin/sh', qpdf: '/bin/sh' } }).confinement(
  withoutLimit(),
);
const inNamespaces = room === 'namespaces' ? describe : describe.skip;

sandboxContract('limits');
inNamespaces('where this machine gives user namespaces,', () => void sandboxContract('namespaces'));

inNamespaces('user namespaces, where this machine gives them,', () => {
  it('end also what hides in a session of its own', async () => {
    await outcomeOf('namespaces', `setsid sleep ${marked(55)} & sleep ${marked(55)}`, soon);
    await expect.poll(() => processesNamed(marked(55))).toBe(0);
  });

  it('hide the files of this machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-canary-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const canary = join(folder, 'secret');
    writeFileSync(canary, 'canary-of-the-disk', { mode: 0o644 });
    const { output } = await outcomeOf(
      'namespaces',
      `cat ${canary}; cat /etc/passwd; ls / /etc /tmp /proc /old /mnt; touch /usr/x && echo written; :`,
    );
    expect(output).not.toMatch(/canary|root:|written/);
    expect(output).toContain('document');
  });

  it('have no network: not a byte reaches a listener on this machine', async () => {
    let calls = 0;
    const server = createServer(() => void (calls += 1)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`;
    const { output } = await outcomeOf('namespaces', `bash -c '${script}'; ls /sys 2>/dev/null; :`);
    expect(output).toBe('');
    expect(calls).toBe(0);
  });

  it('let at most the limit of processes be', async () => {
    const script = 'for n in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; echo all';
    expect((await outcomeOf('namespaces', script)).problem).toMatchObject({
      code: 'document-not-convertible',
    });
  });
});
