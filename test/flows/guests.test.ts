/** The reception lets somebody in for hours, who prints what is theirs, and is gone by themselves. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { hours, minutes } from '../../src/core/duration.ts';
import { virtualDefault } from '../../src/simulator/cloud/records/balance-records.ts';
import type { Permission } from '../../src/simulator/cloud/permissions.ts';
import { complaintsAbout } from '../support/cloud/exchanges.ts';
import { commandHere } from '../support/command-here.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import type { Running, Stage, StageOptions } from '../support/agent/stage.ts';
import { setStage } from '../support/agent/stage.ts';

const guests = { user: 'admin', password: 'admin-secret' };

const guestStage = (options: StageOptions = {}) =>
  setStage({
    cloud: { newcomers: 'everyday' },
    terminal: { login: { shortId: true } },
    config: { guests },
    ...options,
  });
const platenGuest = ({ configFile }: Stage, ...args: readonly string[]) =>
  commandHere(['guest', ...args, '-c', configFile]);
const shownIn = (out: string) => JSON.parse(out) as { guest: string; shortId: string; until: string };
const inService = ({ cloud }: Stage) =>
  cloud.state.users.map(({ userName }) => userName).filter((name) => name.startsWith('guest-'));

describe('platen guest', () => {
  it('lets in for four hours: the guest prints their own by the short id, and is gone by themselves', async () => {
    const clock = forwardClock();
    await using stage = await guestStage({ clock });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await using screen = await watchScreen(agent, await launchPage(stage, agent));

    const { code, out, error } = await platenGuest(stage, '--hours', '4', '--no-slip', '--json');
    expect([code, error]).toEqual([0, '']);
    const { guest, shortId } = shownIn(out);
    expect([guest, shortId]).toEqual([
      expect.stringMatching(/^guest-[a-z2-9]{6}$/),
      expect.stringMatching(/^[1-9]\d{7}$/),
    ]);
    expect((await platenGuest(stage, 'list')).out).toMatch(new RegExp(`${guest} +\\S+ +-`));

    stage.cloud.addDocument({ owner: guest, name: 'Boarding pass.pdf' });
    const page = await launchPage(stage, agent);
    await using own = await watchScreen(agent, page);
    await expect.poll(() => own.views.at(-1)?.offers).toContain('short-id');
    const generation = () => own.views.at(-1)?.generation ?? 0;
    const typed = { command: 'log-in', way: 'short-id', shortId, generation: generation() } as const;
    expect(await page.say(typed)).toBe(204);
    const listed = () => own.views.at(-1)?.documents?.map(({ name }) => name);
    await expect.poll(listed).toEqual(['Boarding pass.pdf']);
    const documentUuids = own.views.at(-1)?.documents?.map(({ uuid }) => uuid) ?? [];
    const now = { generation: generation() };
    expect(await page.say({ command: 'release', documentUuids, ...now })).toBe(204);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await page.say({ command: 'log-out', generation: generation() });

    clock.forward(hours(4));
    await clock.hurry(agent.told('guest ended', (record) => record['guest'] === guest));
    expect(inService(stage)).toEqual([]);
    expect((await platenGuest(stage, 'list')).out).toBe('There are no guests.');
    // Nobody but who asked has the number.
    expect(JSON.stringify([agent.records, screen.views])).not.toContain(shortId);
    expect(stage.cloud.deviations).toEqual([]);
    expect(complaintsAbout(stage.cloud.calls)).toEqual([]);
  });

  it('is ended by an agent that was not there at the time, and then found the service away for a while', async () => {
    const clock = forwardClock();
    await using stage = await guestStage({ clock });
    const first = await stage.start();
    await first.told('terminal ready');
    await platenGuest(stage, '--hours', '1', '--no-slip');
    await first.stop();
    expect(await readFile(`${stage.folder}/state/guests`, 'latin1')).not.toMatch(/guest-[a-z2-9]{6}/);
    clock.forward(hours(2));
    await stage.cloud.goAway();
    await using second = await stage.start();
    await clock.hurry(second.told('guests not ended'));
    await stage.cloud.comeBack();
    clock.forward(minutes(2));
    await clock.hurry(second.told('guest ended'));
    expect(inService(stage)).toEqual([]);
  });

  it('prints the slip at the named terminal, and then shows the number to nobody', async () => {
    await using stage = await guestStage();
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const { code, out, error } = await platenGuest(stage, '--hours', '4', '--terminal', 'lobby');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^guest-\w{6} may print until \S+\. The slip is at lobby$/);
    const [slip] = stage.printer.outputs;
    const user = stage.cloud.state.users.find(({ userName }) => userName.startsWith('guest-'));
    expect(out).not.toContain(user?.shortId);
    const words = await readFile(slip?.file ?? '', 'latin1');
    // As the page calls it, in groups of four, and the time as people read one.
    expect(words).toContain(`ID number: ${user?.shortId.slice(0, 4)} ${user?.shortId.slice(4)}`);
    expect(words).toContain('choose ID number');
    expect(words).toMatch(/Until: \d{4}-\d\d-\d\d \d\d:\d\d\)/);
    expect(await platenGuest(stage, 'end', 'all')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/has ended$/),
    });
    expect(inService(stage)).toEqual([]);
  });
});

describe('a guest whom the service does not let in as wished', () => {
  const refused = async (stage: Stage, ...args: readonly string[]) => {
    const { code, out, error } = await platenGuest(stage, '--hours', '4', '--no-slip', ...args);
    expect([code, out]).toEqual([1, '']);
    return error;
  };
  const takePermission = ({ cloud: { state } }: Stage, permission: Permission) => {
    state.users = state.users.map((user) => ({
      ...user,
      permissions: user.permissions.filter((one) => one !== permission),
    }));
  };

  it('has as many pages as the service counts, and is refused where it counts none', async () => {
    await using stage = await guestStage();
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const uncounted = 'platen: The service counts no pages for this guest: ';
    expect(await refused(stage, '--pages', '20')).toContain(`${uncounted}prints are not charged`);
    stage.cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0, colorLargePage: 0 });
    expect(await refused(stage, '--pages', '20')).toContain(
      `${uncounted}pages in colour, or large ones, cost`,
    );
    stage.cloud.setPrices({
      bwNormalPage: 0.05,
      bwLargePage: 0.1,
      colorNormalPage: 0.2,
      colorLargePage: 0.4,
    });
    stage.cloud.state.balancePolicies = [];
    expect(await refused(stage, '--pages', '20')).toContain(
      `${uncounted}its policy Default lets people print`,
    );
    const forGuests = { ...virtualDefault, id: 7, policyName: 'Guests', isDefault: false, priority: 1 };
    stage.cloud.state.balancePolicies = [{ ...forGuests, balanceType: 'quota', groupIds: [2] }];
    expect(await refused(stage, '--pages', '20', '--group', 'Nobody')).toContain(
      'no group of the name Nobody',
    );
    const inGroup = ['--pages', '20', '--group', 'Upstairs'] as const;
    const { guest } = shownIn(
      (await platenGuest(stage, '--hours', '4', '--no-slip', '--json', ...inGroup)).out,
    );
    expect(stage.cloud.state.balances.find(({ userName }) => userName === guest)).toMatchObject({
      quota: 1_000_000,
    });

    // Made, in its group, and not given the pages: what there is of it goes again.
    takePermission(stage, 'ModifyUserBalance');
    expect(await refused(stage, ...inGroup)).toContain(
      'The service refuses it (403). The user of guests.user needs ModifyUserBalance',
    );
    await agent.told('guest ended', (record) => record['guest'] !== guest);
    expect(inService(stage)).toEqual([guest]);
    takePermission(stage, 'CreateUser');
    expect(await refused(stage)).toContain('needs ViewUser, CreateUser and GenerateShortID');

    takePermission(stage, 'DeleteUser');
    const left = await platenGuest(stage, 'end', guest);
    expect([left.code, left.error]).toEqual([1, expect.stringContaining(`Not ended yet: ${guest}.`)]);
    expect(await conditionsAt(agent)).toContain('guest-not-ended');
    expect((await platenGuest(stage, 'end', 'guest-nobody')).error).toContain('There is no such guest');
    expect(stage.cloud.deviations).toEqual([]);
  });

  it('whose slip does not come out is ended again, and nobody is let in for a terminal that is not there', async () => {
    await using stage = await guestStage();
    await using agent = await stage.start();
    await agent.told('terminal ready');
    const at = (terminal: string) => platenGuest(stage, '--hours', '4', '--terminal', terminal);
    expect(await at('loby')).toMatchObject({
      code: 1,
      error: expect.stringContaining('Did you mean lobby?'),
    });
    expect(inService(stage)).toEqual([]);
    await stage.printer[Symbol.asyncDispose]();
    const { code, out, error } = await at('lobby');
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/The slip was not printed at lobby: .* guest guest-\w{6} was ended again/);
    expect(inService(stage)).toEqual([]);
  });

  it('whose slip does not come out while the agent ends is not said to have ended', async () => {
    const clock = forwardClock();
    await using stage = await guestStage({ clock });
    await using agent = await stage.start();
    await agent.told('terminal ready');
    await stage.printer.behave({ kind: 'stop-reading', afterBytes: 0 });
    const asked = platenGuest(stage, '--hours', '4', '--terminal', 'lobby');
    await agent.told('guest let in');
    await clock.hurry(agent.stop());
    await stage.printer[Symbol.asyncDispose]();
    const { code, error } = await asked;
    const [guest = ''] = inService(stage);
    expect([code, guest]).toEqual([1, expect.stringMatching(/^guest-/)]);
    expect(error).toContain(`${guest} can still print, because the agent is not running.`);
    expect(error).toContain(`Start it, then run: platen guest end ${guest}`);
  });

  it('is told what is missing: an account for guests, a service that answers, an agent', async () => {
    await using stage = await guestStage({ config: {} });
    expect((await platenGuest(stage, '--hours', '4', '--no-slip')).code).toBe(3);
    await using agent = await stage.start();
    await agent.told('terminal ready');
    expect(await refused(stage)).toContain('No guests are set up here. Set guests.user');
    const settings = parse(await readFile(stage.configFile, 'utf8')) as object;
    await writeFile(stage.configFile, stringify({ ...settings, guests: { ...guests, password: 'wrong' } }));
    await agent.reload();
    expect(await refused(stage)).toContain('The service refuses guests.user or guests.password');
    await stage.cloud.goAway();
    expect(await refused(stage)).toMatch(/cannot be reached|Check the network/);
  });
});

const conditionsAt = async ({ operations }: Running) => await (await fetch(`${operations}/status`)).text();
