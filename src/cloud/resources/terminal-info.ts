/**
 * The port TerminalReports: sends the `terminalInfo` object by the configured call, with the device token. Method and
 * path are settings because the published API names none (src/cloud/README.md 12, row 30).
 */
import type { Clock } from '../../core/clock.ts';
import type { Secret } from '../../core/secret.ts';
import type { DeviceTokenSource } from '../../domain/ports/enrollment.ts';
import type { TerminalReports } from '../../domain/ports/service.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { doubtingDenials, withDeviceToken } from '../http/device-bearer.ts';
import { jsonBody, pathSegment } from '../http/form.ts';
import { expectDone } from '../http/json.ts';

export interface ReportCall {
  readonly method: 'PUT' | 'POST' | 'PATCH';
  /** Below the base address; may hold {outputPortId}, {serialNumber} and {terminalId}. */
  readonly path: string;
}

export interface TerminalReportDeps {
  readonly api: Api;
  readonly tokens: DeviceTokenSource;
  readonly clock: Clock;
  readonly report: ReportCall;
}

type Target = Parameters<TerminalReports['report']>[1];

export function createTerminalReports({ api, tokens, clock, report }: TerminalReportDeps): TerminalReports {
  return {
    async report(info, target, { signal }) {
      const within = { signal: clock.deadline(deadlines.background, signal) };
      const path = fill(report.path, target);
      const body = jsonBody(info);
      const send = (token: Secret) =>
        api.request({ method: report.method, path, bearer: { authority: 'device', token }, body }, within);
      // Without badges this is the only regular call, so it notices a 403 that a badge would meet.
      expectDone(await withDeviceToken(tokens, doubtingDenials(tokens, send), within));
    },
  };
}

const fill = (path: string, target: Target): string =>
  path
    .replaceAll('{outputPortId}', () => {
      if (target.outputPortId !== undefined) return String(target.outputPortId);
      throw new Problem('output-port-unknown', 'the report needs an output port, and none is known');
    })
    .replaceAll('{serialNumber}', () => pathSegment(target.serialNumber))
    .replaceAll('{terminalId}', () => pathSegment(target.terminalId));
