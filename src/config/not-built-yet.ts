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

    for (const [at, reader] of terminal.readers.entries()) {
      if (reader.type === 'hid' || reader.type === 'pcsc')
        refuse(
          ['readers', at, 'type'],
          'this version reads serial, tcp-listen and tcp-connect readers only; write one of these',
        );
    }
    return mistakes;
  });
}
