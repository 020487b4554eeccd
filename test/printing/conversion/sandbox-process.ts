/** A process of its own with a program in its sandbox, to be killed: `node sandbox-process.ts namespaces 7766`. */
import { Readable } from 'node:stream';
import type { Confinement } from '../../../src/printing/conversion/sandbox-room.ts';
import { sandboxWith } from './conversion-samples.ts';

const [, , confinement, mark] = process.argv;
const task = {
  program: '/bin/sh',
  arguments: () => ['-c', `echo running; exec sleep ${mark}`],
  document: { read: () => Readable.from([]) },
};
const sandbox = sandboxWith({ confinement: confinement as Confinement });
for await (const chunk of sandbox.run(task, new AbortController())) process.stdout.write(chunk);
