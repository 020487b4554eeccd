/** For every test of every program: what is in quarantine is left out, and chance is the same each time. */
import { relative } from 'node:path';
import { configureGlobal } from 'fast-check';
import { beforeEach } from 'vitest';
import { quarantined } from './quarantine.ts';

/** What a property is tried with; the campaign throws others (test/campaign/properties.ts). */
configureGlobal({ seed: Number(process.env['PLATEN_SEED'] ?? 31) });

beforeEach(({ task, skip }) => {
  const file = relative(process.cwd(), task.file.filepath);
  const found = quarantined.find(({ test }) => test.startsWith(`${file} > `) && test.endsWith(task.name));
  // The run names it at its end (run-reporter.ts).
  if (found) skip(`in quarantine since ${found.since}: ${found.why}`);
});
