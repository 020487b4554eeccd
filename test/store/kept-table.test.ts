/** What the table `kept` holds outlives the agent. */
import { describe, expect, it } from 'vitest';
import type { OutputPort } from '../../src/domain/output-port.ts';
import { createChargingMemory, createSettingsStore } from '../../src/store/kept-table.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openBooks } from '../support/store/books.ts';

const port: OutputPort = {
  id: 7,
  name: 'Lobby',
  address: '10.0.0.7',
  printProtocol: 'ipp',
  outputType: 'pdf',
  autoRelease: true,
  logoutTimeoutSeconds: 90,
  services: { PRINT: [1] },
};

function openSettings() {
  const books = openBooks();
  const log = recordLog();
  return { books, log, settings: createSettingsStore({ database: books.database, log: log.log }) };
}

describe('what the service said of a terminal', () => {
  it('what the service said is kept, terminal by terminal, and replaced', () => {
    const { books, settings } = openSettings();
    using _ = books;
    const lobby = { since: 1, port, config: { printEnabled: false } };
    settings.save(
      new Map([
        ['lobby', { since: 0, port }],
        ['workshop', { since: 2 }],
      ]),
    );
    settings.save(new Map([['lobby', lobby]]));
    expect([settings.load('lobby'), settings.load('workshop'), settings.load('attic')]).toEqual([
      lobby,
      { since: 2 },
      undefined,
    ]);
  });

  it.each([['{'], ['{"since":"yesterday"}'], ['{"since":1,"port":{"id":"7"}}'], ['[]']])(
    'a damaged row counts as none: %s',
    (text) => {
      const { books, log, settings } = openSettings();
      using _ = books;
      settings.save(new Map([['lobby', { since: 0, port }]]));
      books.database.exec(`UPDATE kept SET value = '${text}'`);
      expect(settings.load('lobby')).toBeUndefined();
      expect(log.records('kept settings unreadable')).toHaveLength(1);
    },
  );
});

/** Whether prints are charged, remembered over restarts (src/cloud/README.md 12, row 35). */
describe('whether prints are charged', () => {
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
});
