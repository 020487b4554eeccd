/** `notify` and `operations.otlp` in the configuration: what is taken, and what is a mistake. */
import { expect, it } from 'vitest';
import { outsideOf } from '../../src/config/outside.ts';
import { peersOf } from '../../src/config/peers.ts';
import { configSchema } from '../../src/config/schema/config.ts';

const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
const schema = configSchema(outsideOf('.', {}));
const cloud = { baseUrl: 'https://cloud.example', authUrl: 'https://cloud.example', apiKey: 'key' };
const webhooks = [{ url: 'https://hooks.example/T00?key=1', secret }];
const mail = { server: 'smtp://mail.example', from: 'platen@example.com', to: ['one@example.com'] };

const mistakesOf = (notify: object) =>
  (schema.safeParse({ cloud, notify }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

it.each<[object, object]>([
  [{ server: 'smtp://mail.example' }, { host: 'mail.example', port: 587, security: 'starttls' }],
  [{ server: 'smtps://mail.example' }, { host: 'mail.example', port: 465, security: 'tls' }],
  [{ server: 'smtps://[2001:db8::1]:4650' }, { host: '2001:db8::1', port: 4650, security: 'tls' }],
  [{ server: 'smtp://127.0.0.1:25' }, { host: '127.0.0.1', port: 25, security: 'plain' }],
])('the mail server %o', (over, server) => {
  expect(schema.parse({ cloud, notify: { mail: { ...mail, ...over } } }).notify?.mail?.server).toEqual(
    server,
  );
});

it.each<[object, string]>([
  [{}, 'notify: has no receivers. Set webhooks, alertmanagers or mail'],
  [
    { webhooks: [{ url: 'http://hooks.example/', secret }] },
    'notify.webhooks.0.url: must be an https:// address',
  ],
  [
    { webhooks: [{ url: 'https://a:b@hooks.example/', secret }] },
    'notify.webhooks.0.url: must not contain a user',
  ],
  [
    { webhooks: [{ url: 'https://hooks.example/', secret: 'whsec_YQ==' }] },
    'notify.webhooks.0.secret: must be',
  ],
  [
    { alertmanagers: [{ url: 'http://alerts.example' }] },
    'notify.alertmanagers.0.url: http:// is allowed only',
  ],
  [{ mail: { ...mail, server: 'smtp://user@mail.example' } }, 'notify.mail.server: must be smtp://HOST'],
  [
    { mail: { ...mail, to: ['one@example.com\r\nBcc: two@example.com'] } },
    'notify.mail.to.0: must be a mail',
  ],
  [{ mail: { ...mail, user: 'platen' } }, 'notify.mail.password: needs both user and password, or neither'],
  [{ webhooks, only: { conditions: ['no-such-code'] } }, 'notify.only.conditions.0: '],
])('%o is a mistake', (notify, mistake) => {
  expect(mistakesOf(notify).join('\n')).toContain(mistake);
});

it('the unit has to let all receivers through (IPAddressAllow=)', () => {
  const config = schema.parse({
    cloud,
    notify: {
      webhooks,
      mail,
      alertmanagers: [{ url: 'https://alerts.example' }],
      proxyUrl: 'http://proxy.example',
    },
    operations: { otlp: { url: 'https://traces.example:4318' } },
  });
  expect(peersOf(config, {}).hosts).toEqual(
    ['alerts', 'cloud', 'hooks', 'mail', 'proxy', 'traces'].map((name) => `${name}.example`),
  );
});
