/**
 * `platen card learn`: finds the card-number rules that explain known pairs. Its output has card numbers, and is only
 * for the caller.
 */
import { readFileSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { adviceOn } from '../../domain/card/advice.ts';
import type { Finding } from '../../domain/card/findings.ts';
import { rankRules } from '../../domain/card/findings.ts';
import type { CardPair } from '../../domain/card/pairs.ts';
import { readCardPairs } from '../../domain/card/pairs.ts';
import { searchCardRules } from '../../domain/card/search.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { unreadable } from '../unreadable.ts';
import { table } from '../terminal-text/table.ts';

const patience = seconds(10);

export interface CardPairsFile {
  readonly file: string;
  readonly json?: boolean;
}

export async function learnCardRules({ file, json }: CardPairsFile, io: Io): Promise<number> {
  const pairs = pairsIn(file);
  const search = limited(systemClock);
  const findings = rankRules(searchCardRules(pairs, search.isOver), pairs);
  const advice = [...adviceOn(pairs, findings), ...search.advice()];
  if (json) io.out(JSON.stringify(reportOf(pairs, findings, advice), undefined, 2));
  else {
    if (findings.length > 0) io.out(table(rowsOf(findings, pairs.length)));
    for (const sentence of advice) io.out(`! ${sentence}`);
  }
  if (findings.length > 0) return exitCode.ok;
  io.error(
    'platen: no rule fits more than half of the pairs. For each card, compare the number that the reader sends ' +
      'with the number that is stored',
  );
  return exitCode.failed;
}

function pairsIn(file: string): readonly CardPair[] {
  const { pairs, mistakes } = readCardPairs(textOf(file));
  if (mistakes.length > 0) throw new CommandFailed(`${file}: ${mistakes.join('; ')}`);
  if (pairs.length === 0)
    throw new CommandFailed(`${file}: contains no pairs. Write one line READ,STORED for each card`);
  return pairs;
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause, 'give it on standard input: platen card learn - <FILE');
  }
}

function limited(clock: Clock) {
  const end = clock.monotonic() + patience;
  let wasCut = false;
  return {
    isOver: () => (wasCut = clock.monotonic() > end),
    advice: () => (wasCut ? ['the search stopped after 10 s. There may be more rules that fit'] : []),
  };
}

const rowsOf = (findings: readonly Finding[], pairs: number) => [
  ['RULE', 'EXPLAINS', 'NOT'],
  ...findings.map(({ rule, explained, unexplained }) => [
    rule.text === '' ? '(none: stored as read)' : rule.text,
    `${explained} of ${pairs}`,
    unexplained
      .map(
        ({ line, read, stored, gives }) => `line ${line}: ${read} gives ${gives ?? 'nothing'}, not ${stored}`,
      )
      .join('; '),
  ]),
];

const reportOf = (pairs: readonly CardPair[], findings: readonly Finding[], advice: readonly string[]) => ({
  pairs: pairs.length,
  rules: findings.map(({ rule, explained, unexplained }) => ({
    rule: rule.text,
    explains: explained,
    unexplained,
  })),
  warnings: advice,
});
