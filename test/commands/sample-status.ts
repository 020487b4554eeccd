/** What agents say at `/status`, for the tests of those who read it. */
import type { Status, TerminalStatus } from '../../src/commands/status/schema.ts';
import { version } from '../../src/core/version.ts';

export const sampleNow = Date.parse('2026-11-22T04:00:00.000Z');

export const sampleTerminal = (changes: Partial<TerminalStatus> = {}): TerminalStatus => ({
  id: 'lobby',
  state: 'prompting',
  ready: true,
  outage: null,
  printer: { uri: 'ipp://10.0.0.7/ipp/print', state: 'idle', needs: null },
  readers: [{ name: '/dev/ttyUSB0', kind: 'serial', state: 'up', frames: 41, garbage: 0, reconnects: 1 }],
  prompt: null,
  outputPortId: 7,
  autoRelease: true,
  settings: { autoRelease: { value: true, from: 'output port' }, sides: { value: 'one', from: 'default' } },
  settingsSince: '2026-11-22T02:00:03.000Z',
  settingsRead: '2026-11-22T03:55:00.000Z',
  ...changes,
});

export const sampleStatus = (changes: Partial<Status> = {}): Status => ({
  version,
  pid: 4711,
  startedAt: '2026-11-22T02:00:00.000Z',
  ready: true,
  enrollment: { state: 'authorized', tokenExpiresIn: 3_240_000 },
  servers: [
    {
      baseUrl: 'https://cloud.example:7300',
      isUp: true,
      since: '2026-11-22T02:00:01.000Z',
      version: '3.2',
      enrollment: 'authorized',
    },
  ],
  surroundings: null,
  outbox: { waiting: 0, held: 0, deadLetters: 0, oldest: null },
  conditions: [],
  terminals: [sampleTerminal()],
  ...changes,
});
