/** The settings of a simulated cloud: from code, from a seed and as NAME=VALUE, and what is said of one that is wrong. */
import { describe, expect, it } from 'vitest';
import { milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { settingKeys, settingsIn, settingsOf } from '../../src/simulator/cloud/settings.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { api, enrol, fieldsOf, form } from '../support/cloud/hand-client.ts';

describe('the settings of a simulated cloud', () => {
  it('each have values, a default and a sentence', () => {
    expect(settingKeys().length).toBeGreaterThan(20);
    for (const { path, values, default: usual, meaning } of settingKeys()) {
      expect([path, values, usual, meaning]).toEqual([
        path,
        expect.stringMatching(/\w/),
        expect.stringMatching(/\w|\[\]/),
        expect.stringMatching(/^[A-Z]/),
      ]);
    }
  });

  it('are the defaults where nobody chooses, and a length of time is told in seconds', () => {
    const settings = settingsOf({});
    expect(settings).toMatchObject({ apiKey: 'sample-api-key', userTokenLife: minutes(60), role: 'primary' });
    expect(settingKeys().find(({ path }) => path === 'userTokenLife')).toMatchObject({
      values: 'a number from 0 to 31536000',
      default: '3600',
    });
  });

  it('are read from NAME=VALUE: words, numbers and lists', () => {
    expect(
      settingsIn([
        'userTokenLife=0.5',
        'listShape=paged',
        'pageSize=2',
        'advancedPermissions=ViewJob,AddJob',
        'hiddenConnectors=EMAIL',
      ]),
    ).toEqual({
      userTokenLife: milliseconds(500),
      listShape: 'paged',
      pageSize: 2,
      advancedPermissions: ['ViewJob', 'AddJob'],
      hiddenConnectors: ['EMAIL'],
    });
    expect(settingsIn(['advancedPermissions=none', 'hiddenConnectors='])).toEqual({
      advancedPermissions: 'none',
      hiddenConnectors: [],
    });
  });

  it.each([
    [
      ['userTokenLive=5'],
      'userTokenLive is no setting; did you mean userTokenLife? The settings are deviceTokenLife,',
    ],
    [['listShape'], 'listShape: write it as NAME=VALUE'],
    [['=5'], '=5: write it as NAME=VALUE'],
    [['listShape=flat'], 'listShape must be bare, paged'],
    [['listShape=page'], 'listShape must be bare, paged; did you mean paged?'],
    [['pageSize=0'], 'pageSize must be a whole number from 1 to 10000'],
    [['pageSize=ten'], 'pageSize must be a whole number'],
    [['userTokenLife=-1'], 'userTokenLife must be a number from 0'],
    [['userTokenLife='], 'userTokenLife must be a number from 0'],
    [['conversionTime=1h'], 'conversionTime must be a number from 0 to 3600'],
    [['advancedPermissions=ViewJob,AddJobs'], 'did you mean AddJob?'],
    [['listShape=bare', 'listShape=paged'], 'listShape is given twice'],
    [['apiKey=mine'], 'apiKey is no setting'],
    [['__proto__=1'], '__proto__ is no setting'],
  ])('%j is refused: %s', (texts, reported) => {
    expect(() => settingsIn(texts)).toThrow(RangeError);
    expect(() => settingsIn(texts)).toThrow(reported);
  });

  it('come from a seed, and code goes before it', async () => {
    const settings = { deviceTokenLife: seconds(7), charging: 'nothing' } as const;
    await using cloud = await startCloud({ seed: { ...sampleData, settings }, charging: 'history' });
    expect(cloud.settings).toMatchObject({ deviceTokenLife: seconds(7), charging: 'history' });
    const { device } = await enrol(cloud);
    const body = form({ authtype: '1', userid: '04A1B2C3D4' });
    const { token } = await fieldsOf(await api(cloud, '/login', { method: 'POST', token: device, body }));
    expect(token).toMatchObject({ expires_in: 3600 });
  });
});
