/** The port OutputPorts: `GET /outputports` with the device token, or with a user's (spec, Output ports; contract 3). */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Secret } from '../../core/secret.ts';
import type { OutputPort } from '../../domain/output-port.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import type { OutputPorts } from '../../domain/ports/service.ts';
import type { Api, ApiCall } from '../api.ts';
import { deadlines } from '../api.ts';
import { withDeviceToken } from '../device-bearer.ts';
import { valueOf } from '../json.ts';
import type { ListPage } from '../list-answer.ts';
import { listPage } from '../list-answer.ts';
import { answerLimits } from '../transport.ts';
import { visibleText } from '../visible-text.ts';

export interface OutputPortParts {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly clock: Clock;
  readonly log: Log;
}

/** The spec names no paging for this list; should pages come, a server that never ends them is left. */
const mostPages = 100;

const text = z
  .string()
  .optional()
  .catch(undefined)
  .transform((value) => value?.trim() || undefined);
const flag = z.boolean().catch(false);

const outputPortInfo = z
  .object({
    id: z.int(),
    name: z.string().catch(''),
    address: text,
    deviceSerial: text,
    autoRelease: flag,
    logoutTimeout: z.int().positive().optional().catch(undefined),
    monochrome: flag,
    sendUsername: flag,
  })
  .transform(
    ({ logoutTimeout, name, ...port }): OutputPort => ({
      ...port,
      name: visibleText(name),
      logoutTimeoutSeconds: logoutTimeout,
    }),
  );

export function createOutputPorts({ api, tokens, clock, log }: OutputPortParts): OutputPorts {
  const askPage = async (
    bearer: NonNullable<ApiCall['bearer']>,
    options: CallOptions,
    pageToken?: string,
  ) => {
    const page = pageToken === undefined ? '' : `&pagetoken=${encodeURIComponent(pageToken)}`;
    const path = `/api/v1/outputports?enrichPorts=true${page}`;
    return valueOf(
      await api.request({ method: 'GET', path, bearer, largestAnswer: answerLimits.list }, options),
      listPage,
    );
  };

  const askAll = async (bearer: NonNullable<ApiCall['bearer']>, options: CallOptions) => {
    const entries: unknown[] = [];
    let page: ListPage | undefined;
    for (let pages = 0; pages < mostPages && (page === undefined || page.nextPageToken); pages += 1) {
      page = await askPage(bearer, options, page?.nextPageToken);
      entries.push(...page.entries);
    }
    return entries;
  };

  return {
    async list({ signal, token: user }) {
      const within = { signal: clock.deadline(deadlines.background, signal) };
      const entries = user
        ? await askAll({ authority: 'user', token: user.value }, within)
        : await withDeviceToken(
            tokens,
            (token: Secret) => askAll({ authority: 'device', token }, within),
            within,
          );
      const ports = entries.flatMap((entry) => outputPortInfo.safeParse(entry).data ?? []);
      const unusable = entries.length - ports.length;
      if (unusable > 0) log.warn('output ports left out of the list', { unusable });
      return ports;
    },
  };
}
