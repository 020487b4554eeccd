/** What is planted, one line each. */
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [
  {
    promise: 'B.4, 7: a raw printer that takes octets is at work, however slowly it does',
    file: 'printing/raw/socket-transfer.ts',
    is: 'await this.#transfer.connection.write(octets);\n    this.#movedAt = this.#time();',
    becomes: 'await this.#transfer.connection.write(octets);',
    foundBy: {
      file: 'printing/raw/slow-printer.test.ts',
      test: 'is not called stalled while it takes octets, though the whole takes much longer than stallSeconds',
    },
  },
  {
    promise: 'I3: nothing that is said to whoever is signed in is for a desk',
    file: 'kiosk/server/frames.ts',
    is: '  const { notice: _notice, ...left } = frame;\n  return { ...left,',
    becomes: '  return { ...frame,',
    foundBy: {
      file: 'kiosk/frames.test.ts',
      test: 'nothing that is said to whoever is signed in is for a desk, and what is said to all is (I3)',
    },
  },
  {
    promise: 'I2: that a record is on its way is durable before it is',
    file: 'store/outbox/courier.ts',
    is: 'outbox.sending(row.id, alikeBefore);\n      await outbox.durable();',
    becomes: 'outbox.sending(row.id, alikeBefore);',
    foundBy: {
      file: 'store/courier.test.ts',
      test: 'I2: that a record is sent is durable before it is, so that after a power cut it is looked for',
    },
  },
];
