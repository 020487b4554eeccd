/** Missing and wrong answers of `platen init`, one sentence each, with the flag that corrects it. */
import type { Secret } from '../../core/secret.ts';
import type { Answers } from './answers.ts';
import { readerMistakes } from './config.ts';
import { hasKey } from './service/key.ts';
import type { Machine } from './machine.ts';

/** Missing in the answers and in the file. */
export function unsaidIn(
  { baseUrl, printers }: Answers,
  { present, place }: Machine,
  key: Secret | undefined,
): readonly string[] {
  return [
    ...(baseUrl === undefined && present.baseUrl === undefined
      ? ['the address of the service is missing: --base-url URL, or baseUrl in the answers']
      : []),
    ...(key === undefined && !hasKey(present, place)
      ? ['the API key is missing: --api-key-file FILE (- is standard input), or apiKeyFile in the answers']
      : []),
    ...(present.terminals.length + printers.length === 0
      ? ['a printer is missing: --printer ID=URI,serial=SERIAL, or printers in the answers']
      : []),
  ];
}

/** Answers that contradict each other. */
export function mistakesIn(answers: Answers, { present }: Machine): readonly string[] {
  const { printers } = answers;
  const ids = [...present.terminals, ...printers].map(({ id }) => id);
  return [
    ...printers
      .filter(({ id }, at) => printers.findIndex((one) => one.id === id) < at)
      .map(({ id }) => `${id} is given twice, but each terminal has one printer`),
    ...readerMistakes(answers, [...new Set(ids)]),
  ];
}
