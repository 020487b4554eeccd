/** What a terminal needs beside the service: cards only, a lock-out of its own, nothing remembered, a printer
 * that can do all, unless said. */
import { systemChance } from '../../../src/core/chance.ts';
import type { Condition, Conditions } from '../../../src/domain/condition.ts';
import { createLockOut } from '../../../src/domain/lock-out.ts';
import type { LoginOffer } from '../../../src/domain/login.ts';
import type { HeldElsewhere } from '../../../src/domain/ports/claims.ts';
import type { TerminalDeps } from '../../../src/terminal/world.ts';
import type { PrinterAtHand, PrintersAtHand } from '../../../src/terminal/printers/at-hand.ts';

export const cardsOnly: LoginOffer = { ways: [], cardPin: false, enrollment: false };

export const loginWorld = () => ({
  users: { enrolCard: () => Promise.reject(new Error('no card is enrolled here')) },
  lockOut: createLockOut({ key: systemChance.bytes(32) }),
  conditions: recordConditions(),
  languages: { of: () => undefined, remember: () => {} },
  permittedPorts: { include: async () => true },
  outputPort: () => undefined,
  defaults: { of: () => undefined, keep: () => {}, forget: () => {} },
  stick: undefined,
  pictures: { of: () => Promise.reject(new Error('nobody looks')) },
  ownAccount: {
    transactions: async () => undefined,
    prices: async () => undefined,
    cards: async () => undefined,
    dropCards: () => Promise.reject(new Error('no card is dropped here')),
    giveShortId: () => Promise.reject(new Error('no short id is given here')),
  },
  cardReturn: nothingOwed,
  // Nobody else has anything of anybody.
  claims: { elsewhere: async () => new Map<string, HeldElsewhere>(), found: () => {} },
  printers: [printerThatCan()] as PrintersAtHand,
  surroundings: () => ({ outage: undefined }),
});

/** Everything is always given back. */
export const nothingOwed: TerminalDeps['cardReturn'] = {
  begin: (_, { others: cards }) => ({ cards, cancel() {}, isBack() {}, [Symbol.dispose]() {} }),
  giveBack: async () => {},
};

/** What nobody told of it may be so. */
export const printerThatCan = (more: Partial<PrinterAtHand> = {}): PrinterAtHand => ({
  view: () => undefined,
  can: () => ({ grey: true, twoSided: true, copies: 99 }),
  mediaOf: () => undefined,
  otherPaper: () => undefined,
  does: () => undefined,
  monochrome: false,
  sendUsername: true,
  ...more,
});

/** Those that are raised at the moment. */
export function recordConditions(): Conditions & { readonly raised: Map<string, Condition> } {
  const raised = new Map<string, Condition>();
  return {
    raised,
    raise: (condition) => void raised.set(condition.subject, condition),
    clear: (_scope, subject) => void raised.delete(subject),
  };
}
