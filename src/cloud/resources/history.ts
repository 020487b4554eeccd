/** The port HistoryPoster: `POST /documents/history` with the device token (spec, Documents). Repeating is the courier's. */
import type { Clock } from '../../core/clock.ts';
import type { Secret } from '../../core/secret.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import type { HistoryPoster } from '../../domain/ports/service.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { doubtingDenials, withDeviceToken } from '../http/device-bearer.ts';
import type { Body } from '../http/form.ts';
import { formBody } from '../http/form.ts';
import { expectDone } from '../http/json.ts';

export interface HistoryParts {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly clock: Clock;
}

export function createHistoryPoster({ api, tokens, clock }: HistoryParts): HistoryPoster {
  return {
    async post(record, { signal }) {
      const within = { signal: clock.deadline(deadlines.background, signal) };
      const body = bodyOf(record);
      const post = (token: Secret) =>
        api.request(
          { method: 'POST', path: '/api/v1/documents/history', bearer: { authority: 'device', token }, body },
          within,
        );
      expectDone(await withDeviceToken(tokens, doubtingDenials(tokens, post), within));
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
