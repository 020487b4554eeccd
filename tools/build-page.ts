/**
 * `npm run build:page`: the pages (TSX for a browser, which Node cannot run), where the agent takes them from at its
 * start, whether it runs as bundle or from sources. The kiosk's (src/kiosk/page) is one script, one style sheet and a file
 * of words for each language but English, in dist/page; the administrators' (src/operations/page) a script and a style
 * sheet in dist/ui.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { build } from 'vite';
import { catalogues } from './catalogues.ts';

// The same page, whoever builds it: with a test's NODE_ENV it would be a quarter heavier.
process.env['NODE_ENV'] = 'production';
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

interface PageToBuild {
  readonly input: string;
  readonly outDir: string;
  readonly script: string;
  readonly style: string;
}

const buildPage = ({ input, outDir, script, style }: PageToBuild): Promise<unknown> =>
  build({
    configFile: false,
    logLevel: 'warn',
    root,
    plugins: [plainImports, catalogues],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'chrome120',
      outDir,
      emptyOutDir: true,
      license: true,
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input,
        output: {
          entryFileNames: script,
          // A page that is older than the agent must not take words that are newer than itself.
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: style,
        },
      },
    },
  });

/** Into the folders `page` and `ui` below this one. */
export async function buildPages(folder: string): Promise<void> {
  await buildPage({
    input: 'src/kiosk/page/main.tsx',
    outDir: `${folder}/page`,
    script: 'kiosk.js',
    style: 'kiosk[extname]',
  });
  await buildPage({
    input: 'src/operations/page/main.tsx',
    outDir: `${folder}/ui`,
    script: 'ui-[hash].js',
    style: 'ui-[hash][extname]',
  });
}

if (import.meta.main) await buildPages('dist');
