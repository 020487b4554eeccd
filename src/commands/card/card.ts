/**
 * `platen card convert`: tries a card-number rule, or shows what the configuration of a terminal does with a number.
 */
import { localCardSettings } from '../../config/local-settings.ts';
import { cardPart } from '../../config/part.ts';
import type { CardFormat } from '../../domain/card/format.ts';
import { explainFormat } from '../../domain/card/format.ts';
import type { Explanation } from '../../domain/card/rule.ts';
import { parseCardRule } from '../../domain/card/rule-text.ts';
import { normaliseCard } from '../../domain/card/card-number.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { configPart } from '../config-part.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { namedTerminal, thoseOf } from '../named-terminal.ts';
import { table } from '../terminal-text/table.ts';

export interface CardConversion {
  readonly number: string;
  readonly rule?: string;
  /** Absent: only the rule is applied to the given number. */
  readonly config?: string | undefined;
  readonly terminal?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function convertCard(options: CardConversion, io: Io): Promise<number> {
  const { number: input, config, json } = options;
  const { steps, output } =
    config === undefined ? tried(options) : asRead(options, formatOf(config, options, io));
  if (json && typeof output === 'string') {
    io.out(JSON.stringify({ input, steps, output }, undefined, 2));
    return exitCode.ok;
  }
  if (options.explain) {
    const rows = steps.map((step) => [step.rule, step.output]);
    io.out(table([['STEP', 'NUMBER'], ['', input], ...rows]));
  } else if (typeof output === 'string') io.out(output);
  if (typeof output === 'string') return exitCode.ok;
  throw new CommandFailed(`the number cannot be converted: ${output.unfit}`);
}

/** The number as it is given. A reader would have made all letters capitals. */
function tried({ number, rule = '' }: CardConversion): Explanation {
  try {
    return explainFormat(number, { rule: parseCardRule(rule), decimal: false, trim: false });
  } catch (error) {
    throw isProblem(error, 'config-invalid') ? new CommandFailed(`--rule: ${error.message}`) : error;
  }
}

function asRead({ number }: CardConversion, format: CardFormat): Explanation {
  const card = normaliseCard(number);
  if (!card)
    throw new CommandFailed(
      'a card number has 1 to 128 printable characters. Platen ignores other numbers of a reader',
    );
  return explainFormat(card.reveal(), format);
}

/** Only the running agent knows what the service adds to these settings. */
function formatOf(file: string, { terminal, rule }: CardConversion, io: Io): CardFormat {
  if (rule !== undefined)
    throw new CommandFailed('give either --rule, or -c for the rule of a configuration');
  const { terminals } = configPart(file, io, cardPart);
  const [only, another] = terminals;
  if (terminal === undefined && another) {
    throw new CommandFailed(`Give the terminal: --terminal ID. ${thoseOf(terminals)}`);
  }
  const found = namedTerminal(terminals, terminal ?? only?.id ?? '');
  const { decimalFormatForCardIds: decimal = false, trimCardId: trim = false } = localCardSettings(
    found.card,
  );
  return { rule: found.card.rule, decimal, trim };
}
