/**
 * A process of its own with a program in its sandbox, to be killed:
 * `node sandbox-process.ts namespaces /folder/of/the/programs`, and for a unit its socket.
 */
import { Readable } from 'node:stream';
import { postscriptToPdf } from '../../../src/printing/conversion/conversion-commands.ts';
import type { Confinement } from '../../../src/printing/conversion/sandbox-room.ts';
import { sandboxWith } from '../../support/printer/conversion-samples.ts';

const [, , confinement, programs, socket = ''] = process.argv;
const sandbox = sandboxWith({
  confinement: confinement as Confinement,
  programs: { ghostscript: `${programs}/gs`, qpdf: `${programs}/qpdf` },
  socket,
});
const task = { recipe: postscriptToPdf, document: { length: 0, read: () => Readable.from([]) } };
for await (const chunk of sandbox.run(task, new AbortController())) process.stdout.write(chunk);
