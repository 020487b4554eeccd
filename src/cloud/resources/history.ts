/**
 * The port HistoryPoster: `POST /documents/history` with the device token (spec, Documents); the courier repeats it. A
 * title is sent as the service itself has it. If the service refuses control characters in titles, they are sent
 * without them from then on, and the log tells it once.
 */
import type { Secret } from '../../core/secret.ts';
import type { Env } from '../../domain/env.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import { plainTitle } from '../../domain/history.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import type { HistoryPoster } from '../../domain/ports/service.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { doubtingDenials, withDeviceToken } from '../http/device-bearer.ts';
import type { Body } from '../http/form.ts';
import { formBody } from '../http/form.ts';
import { expectDone } from '../http/json.ts';

export interface HistoryDeps extends Pick<Env, 'clock' | 'log'> {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
}

export function createHistoryPoster({ api, tokens, clock, log }: HistoryDeps): HistoryPoster {
  let takesEveryTitle = true;

  async function send(record: HistoryRecord, within: CallOptions): Promise<void> {
    const body = bodyOf(record);
    const post = (token: Secret) =>
      api.request(
        { method: 'POST', path: '/api/v1/documents/history', bearer: { authority: 'device', token }, body },
        within,
      );
    expectDone(await withDeviceToken(tokens, doubtingDenials(tokens, post), within));
  }

  return {
    async post(record, { signal }) {
      const within = { signal: clock.deadline(deadlines.background, signal) };
      const plain = { ...record, title: plainTitle(record.title) };
      if (plain.title === record.title || !takesEveryTitle) return send(plain, within);
      try {
        return await send(record, within);
      } catch (error) {
        if (!isProblem(error) || error.status !== 400) throw error;
      }
      // The title may be the cause; any other cause fails again.
      await send(plain, within);
      takesEveryTitle = false;
      log.info('history titles made plain');
    },
  };
}

const bodyOf = (record: HistoryRecord): Body =>
  formBody([
    ['jobtype', record.jobType],
    ['title', record.title],
    ['totalpages', record.totalPages],
    ['colorpages', record.colorPages],
    ['papersize', record.paperSize],
    ['duplex', record.duplex],
    ['serialnumber', record.serialNumber],
    ['address', record.address],
    ['datetime', record.dateTime],
    ['username', record.userName],
    ['providerid', record.providerId],
  ]);
