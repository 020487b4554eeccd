/**
 * Decides which Job Template attributes of a request the printer accepts and which it ignores (RFC 8011 section 4.1.7).
 */
import type { Attribute, Value } from '../../ipp/message.ts';
import { attribute, group } from '../../ipp/message.ts';
import * as ipp from '../../ipp/values.ts';
import { printerAttributes } from './attributes.ts';
import type { CheckedRequest } from './check.ts';
import type { PrinterContext } from './context.ts';

export function acceptTemplate(
  context: PrinterContext,
  { message }: CheckedRequest,
): { accepted: readonly Attribute[]; ignored: readonly Attribute[] } {
  const supported = printerAttributes(context, ['all']);
  const accepted: Attribute[] = [];
  const ignored: Attribute[] = [];
  const ignoredWishes = context.habits.value('ignores-wishes')?.split('+') ?? [];
  for (const asked of group(message, 'job-attributes')) {
    if (ignoredWishes.includes(asked.name)) {
      ignored.push(asked);
      continue;
    }
    const choices = supported.find((one) => one.name === `${asked.name}-supported`)?.values;
    if (choices === undefined) {
      ignored.push(attribute(asked.name, ipp.unsupported));
      continue;
    }
    const [good, bad] = [true, false].map((wanted) =>
      asked.values.filter((value) => isAmong(value, choices) === wanted),
    );
    if (good !== undefined && good.length > 0) accepted.push({ name: asked.name, values: good });
    if (bad !== undefined && bad.length > 0) ignored.push({ name: asked.name, values: bad });
  }
  return { accepted, ignored };
}

/** Texts are compared and numbers are checked against ranges. Values of other types are always accepted. */
function isAmong(value: Value, choices: readonly Value[]): boolean {
  if ('text' in value) return choices.some((choice) => 'text' in choice && choice.text === value.text);
  if ('integer' in value) {
    return choices.some((choice) =>
      choice.tag === 'rangeOfInteger'
        ? choice.lower <= value.integer && value.integer <= choice.upper
        : 'integer' in choice && choice.integer === value.integer,
    );
  }
  return true;
}
