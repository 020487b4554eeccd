/** `/status` of a gateway with one terminal of each kind, as a running agent tells it. */
import type { OwnStatus, OwnTerminal } from '../../src/operations/page/own-status.ts';

const terminal = (id: string, changes: Partial<OwnTerminal> = {}): OwnTerminal => ({
  id,
  state: 'prompting',
  ready: true,
  outage: null,
  prompt: null,
  outputPortId: 17,
  printer: {
    uri: `ipps://${id}.printers.example/ipp/print`,
    state: 'idle',
    needs: null,
    ready: true,
    assumed: false,
    acceptingJobs: true,
    certificate: { validTo: '2027-03-01T00:00:00.000Z' },
  },
  readers: [{ name: 'badge', kind: 'serial', state: 'up', frames: 1204, garbage: 2, reconnects: 1 }],
  settings: {
    autoRelease: { value: false, from: 'service' },
    logoutTimeoutSeconds: { value: 30, from: 'config' },
    trimCardId: { value: true, from: 'default' },
  },
  settingsSince: '2026-11-20T08:00:00.000Z',
  settingsRead: '2026-11-25T11:58:00.000Z',
  ...changes,
});

const { printer } = terminal('annex');

export const sampleStatus: OwnStatus = {
  terminals: [
    terminal('floor-0'),
    terminal('floor-1', {
      printer: { ...printer, state: 'stopped', needs: 'paper', ready: false },
      ready: false,
    }),
    terminal('floor-2', { state: 'choosing' }),
    terminal('floor-3', {
      state: 'outOfService',
      ready: false,
      outage: { reason: 'service-away', reference: 'K7QX2M' },
      printer: { ...printer, state: 'unreachable', ready: false, certificate: null, acceptingJobs: null },
      readers: [{ name: 'badge', kind: 'tcp-connect', state: 'down', frames: 0, garbage: 0, reconnects: 4 }],
    }),
  ],
  conditions: [
    {
      code: 'printer-unreachable',
      severity: 'error',
      scope: 'floor-3',
      subject: 'printer',
      detail: 'no answer from floor-3.printers.example',
      since: '2026-11-25T11:40:00.000Z',
    },
    {
      code: 'printer-not-ready',
      severity: 'warning',
      scope: 'floor-1',
      subject: 'printer',
      detail: 'The printer needs paper. (media-empty)',
      since: '2026-11-25T09:12:00.000Z',
    },
    {
      code: 'outbox-filling',
      severity: 'warning',
      scope: 'agent',
      subject: 'outbox',
      detail: '41,000 records wait',
      since: '2026-11-24T22:00:00.000Z',
    },
  ],
};
