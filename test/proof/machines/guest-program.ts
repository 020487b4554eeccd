/**
 * A program for a virtual machine in one file: an emulated processor takes twenty seconds to load hundreds of modules and
 * to take the types out of them.
 */
import { basename } from 'node:path';
import { build } from 'vite';

const outDir = 'test-output/guests';

/** @returns where it is, from the project's root. */
export async function bundledGuest(source: string): Promise<string> {
  const entryFileNames = `${basename(source, '.ts')}.js`;
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['serialport', '@serialport/bindings-cpp', 'koffi'] },
    build: {
      ssr: source,
      target: 'node24',
      outDir,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames, codeSplitting: false } },
    },
  });
  return `${outDir}/${entryFileNames}`;
}
