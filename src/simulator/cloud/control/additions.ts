/**
 * What a test adds to a simulated cloud over `/simulator`: a person or a document as a seed writes them, permissions, and how
 * the service prints. Loaded when the first of them comes.
 */
import { z } from 'zod';
import { seconds } from '../../../core/duration.ts';
import { didYouMean } from '../../../core/text/near-word.ts';
import { documentOf, permissionsOf } from '../../seed/seed.ts';
import { seedDocument, seedUser } from '../../seed/seed-schema.ts';
import type { Answer } from '../call.ts';
import { json } from '../call.ts';
import { allPermissions } from '../permissions.ts';
import type { ControlCall } from './control-body.ts';
import { entryIn } from './control-body.ts';
import type { Controlled } from './controlled.ts';

export async function addUser(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, seedUser);
  refuseFile(file);
  const { groups, permissions, quota, wallet, ...person } = entry;
  const { state } = cloud;
  const groupIds = groups.map((name) => {
    const found = state.groups.find(({ groupName }) => groupName === name);
    if (found) return found.id;
    throw unknown(
      'groups',
      name,
      state.groups.map(({ groupName }) => groupName),
    );
  });
  const taken = person.cards.find((card) => state.users.some(({ cards }) => cards.includes(card)));
  if (taken !== undefined) throw new RangeError(`cards: ${taken} is the card of another person`);
  const rights = permissionsOf(known(permissions));
  const { fullName = person.userName, oneTimePassword, pin, ...rest } = person;
  const { id, userName } = cloud.addUser({
    ...rest,
    fullName,
    ...(oneTimePassword === undefined ? {} : { oneTimePassword }),
    ...(pin === undefined ? {} : { pin }),
    groupIds,
    permissions: rights,
  });
  if ((quota ?? wallet) !== undefined) {
    cloud.setUserBalance(userName, { quota: quota ?? 0, wallet: wallet ?? 0 });
  }
  return json(200, { id, userName });
}

const newDocument = seedDocument.omit({ file: true });

/** Its file, where there is one, is the part `data`. */
export async function addDocument(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, newDocument);
  const name = entry.name ?? file?.name;
  if (name === undefined) throw new RangeError('name is missing, and no file came that has one');
  if (cloud.state.documents.some(({ info }) => info.uuid === entry.uuid)) {
    throw new RangeError(`uuid: ${entry.uuid} is the uuid of another document`);
  }
  const bytes = file && Buffer.from(await file.arrayBuffer());
  const { info } = cloud.addDocument(documentOf({ ...entry, name }, bytes));
  return json(200, info);
}

const newPermissions = z.strictObject({
  userName: seedUser.shape.userName,
  permissions: seedUser.shape.permissions.unwrap(),
});

/** In place of those that the person had. */
export async function setPermissions(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, newPermissions);
  refuseFile(file);
  const permissions = permissionsOf(known(entry.permissions));
  cloud.setPermissions(entry.userName, permissions);
  return json(200, { userName: entry.userName, permissions });
}

const newDelivery = z.strictObject({
  port: z.string().min(1),
  printer: z.enum(['ready', 'not-ready']).default('ready'),
  seconds: z.number().min(0).max(86_400).default(0),
  ends: z.enum(['printed', 'failed', 'never']).default('printed'),
});

/** How the service prints from now on at the port with this serial number or name. */
export async function setDelivery(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, newDelivery);
  refuseFile(file);
  const { port, printer, seconds: span, ends } = entry;
  const { outputPorts } = cloud.state;
  const found =
    outputPorts.find(({ deviceSerial }) => deviceSerial === port) ??
    outputPorts.find(({ name }) => name === port);
  if (!found)
    throw unknown(
      'port',
      port,
      outputPorts.flatMap(({ deviceSerial, name }) => [deviceSerial, name]),
    );
  cloud.setDelivery(found.id, { printer, after: seconds(span), ends });
  return json(200, { id: found.id, port: found.name, printer, seconds: span, ends });
}

type Wanted = z.output<typeof seedUser>['permissions'];

function known(permissions: Wanted): Wanted {
  if (!Array.isArray(permissions)) return permissions;
  const wrong = permissions.find((one) => !allPermissions.some((permission) => permission === one));
  if (wrong !== undefined) throw unknown('permissions', wrong, allPermissions);
  return permissions;
}

const unknown = (list: string, name: string, names: readonly string[]): RangeError =>
  new RangeError(`${list}: there is no ${name}${didYouMean(name, names)}`);

function refuseFile(file: File | undefined): void {
  if (file) throw new RangeError('no file belongs to this order');
}
