/**
 * The dialogue of `platen init`: asks for the answers that are missing in the flags, the answers file and the present
 * configuration. The result has the form of an answers file. Usually there are three questions: the service, its key,
 * the printer. Facts that follow from an answer are found out without a question.
 */
import { serviceUrl } from '../../config/schema/values.ts';
import { printable } from '../../core/text/printable.ts';
import { Secret } from '../../core/secret.ts';
import type { Dialogue } from './dialogue.ts';
import type { Interview, Interviewed, ServiceAnswers } from './interview.ts';
import { askPrinters } from './printers/printer-questions.ts';
import { tryAddresses } from './service/both-addresses.ts';
import type { ServiceLook } from './service/service-look.ts';
import { inWords } from './service/service-answers.ts';

export async function interview(given: Interview): Promise<Interviewed> {
  const { answers, dialogue } = given;
  dialogue.say(
    'Please give three answers: the print service, its API key, the printer. Press Enter to take the value in brackets,',
  );
  dialogue.say('or Ctrl-C to stop. Nothing is written before the end.');
  const { baseUrl, authUrl, key } = await askService(given);
  const { printers, readers } = await askPrinters(given);
  return {
    answers: { ...answers, baseUrl, authUrl, printers, readers },
    key,
    isServiceTried: true,
    isAsked: answers.printers.length === 0,
  };
}

const bothAddresses =
  'A print service has two addresses: one for documents, often with port 7300, and one where devices sign in, often with port 7400. Give the first. Platen finds the second.';

/** Until the service accepts the answers, or the person accepts the service as it is. */
async function askService(given: Interview): Promise<ServiceAnswers> {
  const { answers, present, dialogue } = given;
  if (answers.baseUrl === undefined) dialogue.say(bothAddresses);
  let baseUrl = answers.baseUrl ?? (await askUrl(dialogue, addressQuestion, present.baseUrl));
  let key = given.key ?? (await askKey(given, given.isKeyThere));
  let authUrl = answers.authUrl;
  for (;;) {
    const tried = await tryAloud(given, { baseUrl, authUrl, key });
    const [fault] = tried.faults;
    if (!fault) return { ...tried, baseUrl, key };
    for (const { sentence } of tried.faults) dialogue.say(`  ${printable(sentence)}`);
    if (await dialogue.confirm('Use it anyway?', 'no')) return { ...tried, baseUrl, key };
    if (fault.about === 'apiKey') key = await askKey(given, false);
    else if (fault.about === 'baseUrl') {
      baseUrl = await askUrl(dialogue, addressQuestion, baseUrl);
      authUrl = undefined;
    } else authUrl = await askUrl(dialogue, 'Address where devices sign in', tried.authUrl);
  }
}

const addressQuestion = 'Address of the print service';

async function tryAloud(
  given: Interview,
  service: Parameters<typeof tryAddresses>[1],
): Promise<Pick<ServiceLook, 'faults'> & { readonly authUrl: string }> {
  const { dialogue } = given;
  dialogue.say(`Trying ${printable(service.baseUrl)} ...`);
  const { authUrl, look } = await tryAddresses(given, service);
  if (look?.faults.length === 0) {
    dialogue.say(`  ${printable(inWords(look))}`);
    dialogue.say(`  Devices sign in at ${printable(authUrl)}.`);
  }
  return { authUrl, faults: look?.faults ?? [] };
}

const askUrl = (dialogue: Dialogue, question: string, given: string | undefined): Promise<string> =>
  dialogue.ask(question, {
    given,
    check: (text) => serviceUrl.safeParse(text).error?.issues[0]?.message,
  });

async function askKey({ dialogue }: Interview, isKeyThere: boolean): Promise<Secret | undefined> {
  const hint = isKeyThere ? ' (not shown; press Enter to keep the present key)' : ' (not shown)';
  const key = await dialogue.ask(`API key${hint}`, {
    echo: 'hidden',
    ...(isKeyThere ? { given: '' } : {}),
  });
  return key === '' ? undefined : new Secret(key);
}
