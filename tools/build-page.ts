/**
 * `npm run build:page`: the kiosk page (src/kiosk/page, TSX for a browser, which Node cannot run) as one script, one
 * style sheet and a file of words for each language but English, in dist/page, where the agent takes them from at its
 * start, whether it runs as bundle or from sources.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Vite puts a loader of style sheets and module preloads round each import that comes later. Words need neither, and the
 * page is to be light.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : undefined,
};

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  plugins: [plainImports],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'chrome120',
    outDir: 'dist/page',
    emptyOutDir: true,
    license: true,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/kiosk/page/main.tsx',
      output: {
        entryFileNames: 'kiosk.js',
        // A page that is older than the agent must not take words that are newer than itself.
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: 'kiosk[extname]',
      },
    },
  },
});
