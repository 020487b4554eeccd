/**
 * `npm run build`: the bundle in dist/, and beside it the kiosk page (`build-page.ts`). Everything is in the bundle but
 * serialport, its binding and koffi, whose native code stays in node_modules. What only other commands need comes as
 * chunks of their own, so that the daemon never loads it. V8 keeps the text in memory: comments, blanks and the names of
 * variables go, those of functions and classes stay, so that a stack trace can still be read; the licences are in
 * dist/.vite/license.md.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { getBuiltinModule } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { build } from 'vite';
import { buildPages } from './build-page.ts';
import { catalogues } from './catalogues.ts';
import { leftOut } from './left-out.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const [making, before] = ['dist-next', 'dist-before'];
rmSync(before, { recursive: true, force: true });

/**
 * An `import` of one of Node's modules asks for each of its exports, and some of them load what nothing here uses: its own
 * fetch, a tenth of a start, and its web cryptography.
 */
const loadsMore: Readonly<Record<string, readonly string[]>> = {
  http: ['CloseEvent', 'MessageEvent', 'WebSocket'],
  crypto: ['getRandomValues', 'subtle', 'webcrypto'],
};
const leanBuiltins: Plugin = {
  name: 'lean-builtins',
  enforce: 'pre',
  resolveId(id, _importer, { kind }) {
    const name = id.replace(/^node:/, '');
    return name in loadsMore && kind === 'import-statement' ? `\0lean:${name}` : undefined;
  },
  load(id) {
    const name = id.startsWith('\0lean:') ? id.slice('\0lean:'.length) : '';
    const without = loadsMore[name];
    if (!without) return undefined;
    const names = Object.keys(getBuiltinModule(name) ?? {}).filter((one) => !without.includes(one));
    return `const all = process.getBuiltinModule('node:${name}');\nexport const { ${names.join(', ')} } = all;\nexport default all;`;
  },
};

/** One letter beyond Latin-1 and V8 keeps the whole text with two octets a letter. */
const asciiAlone: Plugin = {
  name: 'ascii-alone',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
    }
  },
};
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const minify = {
  compress: { keepNames: { function: true, class: true }, sequences: false },
  mangle: { keepNames: true },
};

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  plugins: [leanBuiltins, leftOut, catalogues, asciiAlone],
  // undici's front door loads fetch, WebSocket and caches; three of its dispatchers are all that we use.
  resolve: { alias: [{ find: /^undici$/, replacement: `${root}tools/undici-dispatchers.js` }] },
  ssr: { noExternal: true, external: ['serialport', '@serialport/bindings-cpp', 'koffi'] },
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    outDir: making,
    emptyOutDir: true,
    license: true,
    rolldownOptions: { output: { minify } },
  },
});

await buildPages(making);

// In one moment: a Platen that starts from dist/ while it is built finds it whole.
if (existsSync('dist')) renameSync('dist', before);
renameSync(making, 'dist');
rmSync(before, { recursive: true, force: true });
