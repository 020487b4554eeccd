/** How a browser becomes the kiosk's own page: INVARIANTS.md D11, T03. */
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { createPasses } from '../../src/kiosk/server/passes.ts';
import { recordLog } from '../support/recorded-log.ts';
import { heldSecrets } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import { openPage } from './open-stream.ts';

const stillThere = { command: 'still-there', generation: 2 };
const choosing = { generation: 2, state: 'choosing', sentence: '', waiting: 0 };

describe('the launch secret', () => {
  it('becomes a cookie that no script and no other site gets, and the address is clean again', async () => {
    const { get, secrets, recorded } = await openKiosk();
    const secret = secrets.launch().reveal();
    const answer = await get(`/t/lobby?launch=${secret}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/t/lobby']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^platen-kiosk=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/t\/lobby$/,
    );
    expect(answer.headers.get('set-cookie')).not.toContain(secret);
    expect(recorded.text()).not.toContain(secret);
  });

  it('is spent by its first use; the next one is another', async () => {
    const { get, secrets, launch, recorded } = await openKiosk();
    const spent = secrets.launch().reveal();
    const first = await launch();
    expect(secrets.launch().reveal()).not.toBe(spent);
    const again = await get(`/t/lobby?launch=${spent}`, { redirect: 'manual' });
    expect([again.status, again.headers.get('set-cookie')]).toEqual([303, null]);
    expect(recorded.records('kiosk launch refused')).toHaveLength(1);
    const second = await launch();
    expect(second).toMatch(/^platen-kiosk=/);
    expect(second).not.toBe(first);
  });

  it('lets in one of twenty browsers that come with it at the same moment', async () => {
    const { get, secrets } = await openKiosk();
    const path = `/t/lobby?launch=${secrets.launch().reveal()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(path, { redirect: 'manual' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303));
    expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
  });

  it.each(['', 'x', 'launch', '%00', 'a&launch=b'])(
    'is not %j: the page comes without a cookie',
    async (wrong) => {
      const { get } = await openKiosk();
      const answer = await get(`/t/lobby?launch=${wrong}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null]);
    },
  );

  it('is nothing to a page of somebody else', async () => {
    const { get, secrets } = await openKiosk();
    const secret = secrets.launch().reveal();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await get(`/t/lobby?launch=${secret}`, { redirect: 'manual', headers });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    expect(secrets.launch().reveal()).toBe(secret);
  });

  it('lets nobody in while its successor cannot be kept, and is good afterwards', () => {
    const recorded = recordLog();
    const secrets = heldSecrets();
    const { launch } = secrets;
    let isFull = true;
    const passes = createPasses({
      secrets: {
        ...secrets,
        spend(terminal, mark) {
          if (isFull) throw new Problem('store-refused', 'no room');
          secrets.spend(terminal, mark);
        },
      },
      chance: systemChance,
      log: recorded.log,
    });
    expect(passes.launch('lobby', launch().reveal())).toBeUndefined();
    expect(recorded.records('kiosk launch refused')).toMatchObject([{ level: 'error' }]);
    isFull = false;
    expect(passes.launch('lobby', launch().reveal())).toBeDefined();
  });
});

describe('the cookie', () => {
  it('outlives the agent, as the browser does', () => {
    const world = { secrets: heldSecrets(), chance: systemChance, log: recordLog().log };
    const secret = world.secrets.launch().reveal();
    const cookie = createPasses(world).launch('lobby', secret)?.split(';')[0];
    expect(createPasses(world).areIn('lobby', cookie)).toBe(true);
    expect(createPasses({ ...world, secrets: heldSecrets() }).areIn('lobby', cookie)).toBe(false);
  });

  it('is needed for every command, whatever it says', async () => {
    const stage = await openKiosk();
    const cookie = await openPage(stage);
    const pass = cookie.slice('platen-kiosk='.length);
    stage.show(choosing);
    for (const wrong of [
      '',
      'platen-kiosk',
      'platen-kiosk=',
      `platen-kiosk=${stage.secrets.markOf('lobby')}`,
      `platen-kiosk=${pass}x`,
      `platen-kiosk=x${pass}`,
      `platen-kiosk="${pass}"`,
      `Platen-Kiosk=${pass}`,
      `other=${pass}`,
      `platen-kiosk=${pass.slice(1)}`,
    ]) {
      expect([wrong, (await stage.command(stillThere, { cookie: wrong })).status]).toEqual([wrong, 403]);
    }
    expect((await stage.command(stillThere, { cookie: `platen-kiosk=x; ${cookie}; a=b` })).status).toBe(204);
    expect(stage.told).toHaveLength(1);
  });
});
