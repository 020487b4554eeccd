/** Whether prints are charged, remembered over restarts (src/cloud/README.md 12, row 35). */
import { expect, it } from 'vitest';
import { createChargingMemory } from '../../src/store/kept-table.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openBooks } from '../support/store/books.ts';

it('is no until it was seen, and outlives a restart until the service says that it has ended', () => {
  using books = openBooks();
  const { log } = recordLog();
  const afterRestart = () => createChargingMemory({ database: books.database, log });
  expect(afterRestart().wasSeen()).toBe(false);
  afterRestart().note(true);
  expect(afterRestart().wasSeen()).toBe(true);
  afterRestart().note(false);
  expect(afterRestart().wasSeen()).toBe(false);
});

it('holds in memory where it cannot be written, and the check goes on (I4)', () => {
  using books = openBooks();
  const recorded = recordLog();
  const charging = createChargingMemory({ database: books.database, log: recorded.log });
  books.database.exec('DROP TABLE kept');
  charging.note(true);
  expect(charging.wasSeen()).toBe(true);
  expect(recorded.records('charging not recorded')).toHaveLength(1);
});
