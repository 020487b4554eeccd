/**
 * `npm run build`: the bundle in dist/, and beside it the kiosk page (`build-page.ts`). Everything is in the bundle but
 * serialport, its binding and koffi, whose native code stays in node_modules. What only other commands need comes as
 * chunks of their own, so that the daemon never loads it. Comments and blanks go, names stay, so that a stack trace can
 * still be read; the licences are in dist/.vite/license.md.
 */
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * An `import` of node:http asks for each of its exports, and three of them load Node's own fetch: a tenth of a start, for
 * what nothing here uses.
 */
const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  enforce: 'pre',
  resolveId: (id, _importer, { kind }) =>
    id === 'node:http' && kind === 'import-statement' ? '\0http' : undefined,
  load(id) {
    if (id !== '\0http') return undefined;
    const fetchs = ['CloseEvent', 'MessageEvent', 'WebSocket'];
    const names = Object.keys(http).filter((name) => !fetchs.includes(name));
    return `const http = process.getBuiltinModule('node:http');\nexport const { ${names.join(', ')} } = http;\nexport default http;`;
  },
};

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  plugins: [httpWithoutFetch],
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
