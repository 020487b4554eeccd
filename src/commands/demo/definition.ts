/** The options of `platen demo`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('demo')
    .description('walk one whole release with an embedded cloud, printer and badge reader')
    .option('--once', 'exit after one release')
    .option('--listen <host:port>', 'where the kiosk page listens (127.0.0.1:7380; with --once a free port)')
    .action(calls.does(async () => (await import('./demo.ts')).demoCommand));
}
