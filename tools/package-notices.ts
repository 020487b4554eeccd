/** The licences of what is bundled, as the bundler found them: what their authors ask everybody to pass on. */
import { readFileSync } from 'node:fs';

/** `dist` has to be built. */
export const thirdPartyNotices = (): string =>
  [
    '# Works of others in dist/main.js\n',
    readFileSync('dist/.vite/license.md', 'utf8'),
    '# Works of others in dist/page/kiosk.js and in dist/ui\n',
    readFileSync('dist/page/.vite/license.md', 'utf8'),
  ].join('\n');
