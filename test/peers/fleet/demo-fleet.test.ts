/** `platen demo --fleet`: two gateways, one of them killed in mid job; what became of each document is told as it was. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { showFleet } from '../../../src/commands/demo/fleet.ts';
import { needsPostgres } from '../../support/fleet/postgres.ts';
import { runProgram, startProgram } from '../../support/program.ts';

needsPostgres()('platen demo --fleet', () => {
  it('F5 to F11: tells what both screens read, who takes over, and what became of each document, with exit 0', async () => {
    const { code, stdout, stderr } = await runProgram(['demo', '--fleet', '--once']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /gateway-b reads meanwhile: This printer is served by gateway-a at the moment\.$[^]*gateway-a is killed[^]*when [1-3] of 5 pages of “Quarterly report\.pdf \[\w{8}\]” are out\.$[^]*\d\.\d s after that gateway-b serves the terminal\.$[^]*One document is being printed at Entrance\.[^]*gateway-a has power again\.$/m,
    );
    const [, table = ''] = /\n\n(Document [^]*?)\n\n/.exec(stdout) ?? [];
    const rows = table.split('\n').map((row) => row.split(/ {2,}/));
    expect(rows).toEqual([
      ['Document', 'Came out', 'Sent by', 'In the history', 'In the service'],
      ['Welcome to Platen.pdf', 'once', 'gateway-a', 'once, by gateway-a', 'deleted'],
      [
        'Quarterly report.pdf',
        'once',
        'gateway-a',
        expect.stringMatching(/^once, by gateway-[ab]$/),
        expect.stringMatching(/^(?:listed|deleted)$/),
      ],
      ['Site plan.pdf', 'once', 'gateway-b', 'once, by gateway-b', 'deleted'],
    ]);
    expect(stdout).toContain('Every document came out at most once, and nothing is lost.');
  });

  it('that is stopped has not shown it, with exit 1', async () => {
    await using demo = startProgram(['demo', '--fleet']);
    await demo.printed('A PostgreSQL was made for this demo.');
    demo.child.kill('SIGINT');
    expect(await demo.exited).toEqual({ code: 1, signal: null });
    expect(demo.stderr()).toBe('platen: The demo was stopped.\n');
  });
});

it('platen demo --fleet says what to install where there is no PostgreSQL', async () => {
  const never = () => expect.unreachable('it says nothing else');
  const io = { out: never, error: never, env: {}, clock: systemClock, stop: new AbortController().signal };
  await expect(showFleet(io, () => undefined)).rejects.toThrow(
    /^the demo of a fleet needs PostgreSQL 15 or later: apt-get install postgresql$/,
  );
});
