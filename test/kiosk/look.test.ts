/** What the administrator makes of the page: its look, its colours and its logo are files of the listener. */
import { expect, it } from 'vitest';
import type { LookConfig } from '../../src/kiosk/server/kiosk-page.ts';
import { openKiosk } from './open-kiosk.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const look: LookConfig = {
  brand: {
    name: 'City library',
    logo: { type: 'image/svg+xml', base64: Buffer.from(svg).toString('base64') },
    colour: '#7a1f5c',
  },
  languages: ['de', 'en'],
  howToSend: { en: 'By mail' },
  bigButtons: true,
};

it('serves the look, the colours and the logo, as nothing that could be a page', async () => {
  const { get } = await openKiosk({ look });
  expect(await (await get('/look.json')).json()).toEqual({
    name: 'City library',
    logo: '/logo.svg',
    languages: ['de', 'en'],
    howToSend: { en: 'By mail' },
    hasBigButtons: true,
  });
  expect(await (await get('/accent.css')).text()).toContain('--lead: light-dark(#7a1f5c, ');
  const logo = await get('/logo.svg');
  expect([logo.headers.get('content-type'), await logo.text()]).toEqual(['image/svg+xml', svg]);
  expect(logo.headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('serves no colours, no logo and a plain look where nobody has said anything', async () => {
  const { get } = await openKiosk();
  expect(await (await get('/look.json')).json()).toEqual({});
  expect(await (await get('/accent.css')).text()).toBe('');
  expect((await get('/logo.svg')).status).toBe(404);
});
