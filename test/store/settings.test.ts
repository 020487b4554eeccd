import { expect, it } from 'vitest';
import type { OutputPort } from '../../src/domain/output-port.ts';
import { createSettingsStore } from '../../src/store/kept-table.ts';
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
