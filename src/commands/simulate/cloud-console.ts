/**
 * The commands of an administrator at `platen simulate cloud`: look at the simulated cloud, approve and refuse devices,
 * add people and documents, plan faults. Each line gives a text. It knows no keyboard and no screen.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { errnoSaid } from '../../core/errno.ts';
import { seconds } from '../../core/duration.ts';
import type { SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { pdfPages } from '../../simulator/sample/pdf-file.ts';
import { faultTimes, isStandardFault, planFault } from '../../simulator/cloud/standard-faults.ts';
import type { StandardFault } from '../../simulator/cloud/standard-faults.ts';
import { views } from './cloud-views.ts';
import type { ConsoleCommand, Reply } from './console.ts';
import { command, commandIn, commandList } from './console.ts';
import { table } from '../terminal-text/table.ts';

export function replyTo(cloud: SimulatedCloud, line: string): Reply {
  const typed = commandIn(commands, line);
  if (!typed) {
    return {
      kind: 'mistake',
      text: `${line} is not a command. Type help, or type approve to approve devices`,
    };
  }
  const { found, rest } = typed;
  if (found.name[0] === 'quit') return { kind: 'quit', text: '' };
  try {
    return { kind: 'done', text: found.act(cloud, rest) };
  } catch (error) {
    // The cloud and the functions below throw this for unknown names.
    if (error instanceof RangeError) return { kind: 'mistake', text: error.message };
    throw error;
  }
}

type Act = (cloud: SimulatedCloud, words: readonly string[]) => string;

const commands: readonly ConsoleCommand<Act>[] = [
  command('help', 'show this list', () => commandList(commands)),
  ...Object.entries(views).map(([name, { shows, rows }]) =>
    command<Act>(name, shows, (cloud) => tableOf(rows(cloud), name)),
  ),
  command('approve [CLIENT]', 'approve a device, or all waiting devices', ({ approve }, [clientId]) =>
    textUnlessFound(approve(clientId), 'no device is waiting'),
  ),
  command('reject [CLIENT]', 'refuse a device, or all waiting devices', ({ reject }, [clientId]) =>
    textUnlessFound(reject(clientId), 'no device is waiting'),
  ),
  command(
    'withdraw [CLIENT]',
    'withdraw the trust in a device, or in all devices',
    ({ withdrawTrust }, [clientId]) => textUnlessFound(withdrawTrust(clientId), 'there is no such device'),
  ),
  command('add document OWNER NAME [PAGES]', 'add a waiting document; NAME may contain blanks', addDocument),
  command(
    'add file OWNER PATH',
    'add a file of this machine as a waiting document; PATH may contain blanks',
    addFile,
  ),
  command('add user NAME [CARD [PIN]]', 'add a person with everyday permissions', addUser),
  command('add card USER CARD', 'add a card to a person', (cloud, [user = '', card = '']) => {
    cloud.addCard(user, requireText(card, 'CARD'));
    return `${user} has the card ${card}`;
  }),
  command('balance USER AMOUNT', 'set the balance of a person; this turns balances on', setBalance),
  command(
    'fault METHOD PATH NAME [TIMES|always]',
    'let the next calls with this end of the path fail',
    orderFault,
  ),
  command('clock SECONDS', 'move the clock of the service forward', (cloud, [text = '']) => {
    if (!/^\d{1,9}(?:\.\d{1,3})?$/.test(text)) throw new RangeError('write SECONDS as a number above 0');
    cloud.advanceClock(seconds(Number(text)));
    return '';
  }),
  command('deviations', 'the deviations of clients from the specification', ({ deviations }) =>
    deviations.length === 0 ? 'no deviations' : deviations.join('\n'),
  ),
  command('reset', 'start again without devices, calls and faults', ({ reset }) => {
    reset();
    return '';
  }),
  command('behave', 'remove all faults', (cloud) => {
    cloud.behaveWell();
    return 'no faults are planned';
  }),
  command('quit', 'end the simulated cloud', () => ''),
];

const tableOf = (rows: readonly (readonly string[])[], name: string): string =>
  rows.length > 1 ? table(rows) : `no ${name}`;

/** The cloud prints a line for each device itself. */
const textUnlessFound = (clientIds: readonly string[], otherwise: string): string =>
  clientIds.length === 0 ? otherwise : '';

function addUser(cloud: SimulatedCloud, [name = '', card, pin]: readonly string[]): string {
  requireText(name, 'NAME');
  const { userName, cards } = cloud.addUser({
    userName: name,
    cards: card === undefined ? [] : [card],
    ...(pin === undefined ? {} : { pin }),
  });
  return `${userName} is there, cards: ${cards.join(', ') || 'none'}${pin === undefined ? '' : `, PIN ${pin}`}`;
}

function addDocument(cloud: SimulatedCloud, [owner = '', ...rest]: readonly string[]): string {
  const pages = rest.length > 1 && /^[1-9]\d{0,3}$/.test(rest.at(-1) ?? '') ? Number(rest.at(-1)) : undefined;
  const name = requireText((pages === undefined ? rest : rest.slice(0, -1)).join(' '), 'NAME');
  const { info } = cloud.addDocument({ owner, name, pages: pages ?? 1 });
  return `“${info.documentName}” waits for ${owner}: ${info.uuid}`;
}

function addFile(cloud: SimulatedCloud, [owner = '', ...rest]: readonly string[]): string {
  const path = requireText(rest.join(' '), 'PATH');
  const bytes = bytesOf(path);
  const pages = pdfPages();
  pages.take(bytes);
  const { info } = cloud.addDocument({ owner, name: basename(path), pages: pages.count() ?? 1, bytes });
  return `“${info.documentName}” waits for ${owner}, ${info.totalPages} pages: ${info.uuid}`;
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new RangeError(`${path}: cannot be read (${errnoSaid(cause)})`, { cause });
  }
}

/** Prices for trying out. */
const samplePrices = { bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 };

function setBalance(cloud: SimulatedCloud, [user = '', amount = '']: readonly string[]): string {
  if (!/^\d{1,8}(?:\.\d{1,6})?$/.test(amount)) throw new RangeError('write AMOUNT as 12 or 12.50');
  cloud.setUserBalance(user, { quota: Number(amount) });
  if (!cloud.state.priceList) cloud.setPrices(samplePrices);
  return `${user} has ${amount}`;
}

function orderFault(cloud: SimulatedCloud, [method = '', path = '', ...rest]: readonly string[]): string {
  const { name, times } = faultIn(rest);
  const named = method === '*' ? undefined : method;
  planFault(cloud, { method: named, path: requireText(path, 'PATH'), fault: name, times });
  return `${method} ${path}: ${name}, ${times === 'always' ? 'always' : `the next ${times}`}`;
}

/** The name of a fault may end in a number, as in `status 400`. So the longest known name is tried first. */
function faultIn(words: readonly string[]): { name: StandardFault; times: number | 'always' } {
  const [whole, shorter] = [words.join(' '), words.slice(0, -1).join(' ')];
  if (isStandardFault(whole)) return { name: whole, times: 1 };
  if (!isStandardFault(shorter))
    throw new RangeError(`there is no fault ${whole || 'without a name'}. Type faults`);
  return { name: shorter, times: faultTimes(words.at(-1) ?? '') };
}

function requireText(text: string, name: string): string {
  if (text === '') throw new RangeError(`${name} is missing. Type help`);
  return text;
}
