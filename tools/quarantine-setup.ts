/** Leaves out the tests in quarantine (quarantine.ts), in every program; the run names them at its end. */
import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { quarantined } from './quarantine.ts';

beforeEach(({ task, skip }) => {
  const file = relative(process.cwd(), task.file.filepath);
  const found = quarantined.find(({ test }) => test.startsWith(`${file} > `) && test.endsWith(task.name));
  if (found) skip(`in quarantine since ${found.since}: ${found.why}`);
});
