/**
 * `npm run build`: the bundle in dist/, and beside it the kiosk page (`build-page.ts`). Everything is in the bundle but
 * serialport, its binding and koffi, whose native code stays in node_modules. What only other commands need comes as
 * chunks of their own, so that the daemon never loads it. Comments and blanks go, names stay, so that a stack trace can
 * still be read; the licences are in dist/.vite/license.md.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  // undici's front door loads fetch, WebSocket and caches; three of its dispatchers are all that we use.
  resolve: { alias: [{ find: /^undici$/, replacement: `${root}tools/undici-dispatchers.js` }] },
  ssr: { noExternal: true, external: ['serialport', '@serialport/bindings-cpp', 'koffi'] },
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    license: true,
    rolldownOptions: { output: { minify: { compress: false, mangle: false } } },
  },
});

// After the bundle, which begins with an empty dist/.
await import('./build-page.ts');
