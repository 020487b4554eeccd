/**
 * Makes the services for one configuration: one that watches which conditions stand, and one for each receiver.
 * Receivers know nothing of each other.
 */
import { createHash } from 'node:crypto';
import type { NotifyConfig } from '../config/schema/notify.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { hours, seconds } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Posting } from '../domain/ports/posting.ts';
import type { SentNotices } from '../domain/ports/told.ts';
import { Account } from './account.ts';
import { Alarm, createAlertmanager } from './alertmanager.ts';
import { createMail } from './mail.ts';
import type { Message, SeenCondition, Teller } from './message.ts';
import { Messenger } from './messenger.ts';
import { isSelected, keyOf } from './message.ts';
import { Standing } from './standing.ts';
import type { AlertWay, MessageWay } from './way.ts';
import { isAbout } from './way.ts';
import { createWebhook } from './webhook.ts';

export interface WayDeps {
  readonly from: Teller;
  readonly posting: Posting;
  /** PEM of all trusted authorities, including the given ones. */
  authorities(ca: string | undefined): readonly string[];
  readonly clock: Clock;
}

export interface Ways {
  readonly messages: readonly MessageWay[];
  readonly alerts: readonly AlertWay[];
}

export function waysOf(config: NotifyConfig, { from, posting, authorities, clock }: WayDeps): Ways {
  const { webhooks, alertmanagers, mail, caFile: ca } = config;
  return {
    messages: [
      ...webhooks.map(({ url, secret }, index) =>
        createWebhook({
          id: idOf('webhook', url),
          name: nameOf('webhook', new URL(url).host, index, webhooks),
          url: new URL(url),
          secret,
          posting,
          clock,
        }),
      ),
      ...(mail
        ? [
            createMail({
              id: idOf('mail', JSON.stringify([mail.server, mail.to])),
              name: `mail ${mail.server.host}`,
              ...mail,
              authorities: () => authorities(ca),
            }),
          ]
        : []),
    ],
    alerts: alertmanagers.map(({ url, token }, index) =>
      createAlertmanager({
        id: idOf('alertmanager', url),
        url: new URL(url),
        token,
        from,
        posting,
        clock,
        name: nameOf('alertmanager', new URL(url).host, index, alertmanagers),
      }),
    ),
  };
}

const idOf = (kind: string, address: string): string =>
  `${kind}-${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;

/** Several receivers at the same host get a number each. */
function nameOf(kind: string, host: string, index: number, all: readonly { readonly url: string }[]): string {
  const alike = all.filter(({ url }) => new URL(url).host === host);
  return alike.length === 1 ? `${kind} ${host}` : `${kind} ${host} (${index + 1})`;
}

export interface NotifierDeps extends WayDeps, Pick<Env, 'chance' | 'log' | 'conditions'> {
  timed(): readonly SeenCondition[];
  onChange(listener: () => void): () => void;
  readonly register: SentNotices;
}

export function notifierServices(config: NotifyConfig, deps: NotifierDeps): readonly Service[] {
  const { from, conditions, register, clock, chance, log } = deps;
  const { messages, alerts } = waysOf(config, deps);
  register.keepOnly(messages.map(({ id }) => id));
  // If a condition is no longer selected, it is forgotten and not told as over.
  for (const { id } of messages) {
    const sent = register.of(id);
    const staying = sent.filter((one) => isSelected(one, config.only));
    if (staying.length < sent.length) register.keep(id, staying);
  }
  const before = new Map(messages.flatMap(({ id }) => register.of(id)).map((one) => [keyOf(one), one]));
  const standing = new Standing({
    conditions: () => deps.timed(),
    onChange: deps.onChange,
    before: [...before.values()],
    only: config.only,
    afterSeconds: config.afterSeconds,
    clock,
  });
  const carriers = [
    ...messages.map((way) => {
      const account = new Account({
        id: way.id,
        standing,
        isLeftOut: isAbout(way),
        register,
        clock,
        repeat: hours(config.repeatHours),
      });
      const group = seconds(config.groupSeconds);
      const { mostPerHour } = config;
      return new Messenger({ way, account, from, group, mostPerHour, conditions, clock, chance, log });
    }),
    ...alerts.map((way) => new Alarm({ way, standing, conditions, clock, chance, log })),
  ];
  standing.onNews(() => carriers.forEach((carrier) => carrier.look()));
  return [standing, ...carriers];
}

/** The user tests with it whether a message arrives. */
export const testMessage = (
  from: Teller,
  { clock, chance }: { readonly clock: Pick<Clock, 'now'>; readonly chance: Pick<Chance, 'bytes'> },
): Message => ({
  id: `msg_${chance.bytes(16).toString('hex')}`,
  at: isoInstant(clock.now()),
  from,
  came: [],
  lasting: [],
  went: [],
  heldBack: 0,
  isTest: true,
});
