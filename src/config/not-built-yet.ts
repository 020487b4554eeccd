/**
 * Values the contract names and this version does not carry out yet. They stop the start like any other mistake:
 * a setting that is accepted and ignored would print, read or deliver otherwise than the administrator thinks.
 */
import type { Mistake } from './mistakes.ts';
import type { Config } from './schema.ts';

export function notBuiltYet(config: Config): Mistake[] {
  return config.terminals.flatMap((terminal, index) => {
    const mistakes: Mistake[] = [];
    const refuse = (path: (string | number)[], message: string) =>
      mistakes.push({ path: ['terminals', index, ...path], message });

    if (!/^(auto$|ipps?:|socket:|cups:)/.test(terminal.printer.uri)) {
      refuse(['printer', 'uri'], 'this version does not print through the spooler of Windows');
    }
    if (terminal.printer.softwareCopies === true) {
      refuse(['printer', 'softwareCopies'], 'this version leaves copies to the printer; write auto or false');
    }
    if (terminal.printer.reverseOutput === true) {
      refuse(['printer', 'reverseOutput'], 'this version does not reverse the order; write auto or false');
    }
    for (const [at, reader] of terminal.readers.entries()) {
      if (reader.type !== 'serial')
        refuse(['readers', at, 'type'], 'this version reads serial readers only; write serial');
    }
    if (terminal.card.rule !== '')
      refuse(['card', 'rule'], 'this version has no card-number rules yet; leave it empty');
    return mistakes;
  });
}
