/**
 * Additions of a test to a simulated cloud over `/simulator`: a person or a document in the form of a seed,
 * permissions, and deliveries. The file is loaded when the first addition comes.
 */
import { z } from 'zod';
import { seconds } from '../../../core/duration.ts';
import type { Mistake } from '../../../config/mistakes.ts';
import { keyPath } from '../../../config/mistakes.ts';
import { didYouMean } from '../../../core/text/near-word.ts';
import type { Taken } from '../../seed/entry-rules.ts';
import { mistakesOfDocument, mistakesOfUser, takenBy, unknownPermission } from '../../seed/entry-rules.ts';
import { documentOf, permissionsOf } from '../../seed/seed.ts';
import { seedDocument, seedUser } from '../../seed/seed-schema.ts';
import type { Answer } from '../call.ts';
import { json } from '../call.ts';
import type { ControlCall } from './control-body.ts';
import { entryIn } from './control-body.ts';
import type { Controlled } from './controlled.ts';

export async function addUser(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, seedUser);
  refuseFile(file);
  const { groups, permissions, quota, wallet, ...person } = entry;
  const { state } = cloud;
  const groupNames = state.groups.map(({ groupName }) => groupName);
  refuse(mistakesOfUser(entry, takenIn(cloud), groupNames));
  const groupIds = state.groups.filter(({ groupName }) => groups.includes(groupName)).map(({ id }) => id);
  const rights = permissionsOf(permissions);
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

/** The file, if there is one, is the part `data`. */
export async function addDocument(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, newDocument);
  const named = { ...entry, name: entry.name ?? file?.name };
  refuse(mistakesOfDocument(named, takenIn(cloud)));
  const bytes = file && Buffer.from(await file.arrayBuffer());
  const { info } = cloud.addDocument(documentOf(named, bytes));
  return json(200, info);
}

const newPermissions = z.strictObject({
  userName: seedUser.shape.userName,
  permissions: seedUser.shape.permissions.unwrap(),
});

/** Replaces the person's permissions. */
export async function setPermissions(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, newPermissions);
  refuseFile(file);
  const wanted = Array.isArray(entry.permissions) ? entry.permissions : [];
  refuse(wanted.flatMap((one, at) => unknownPermission(one, ['permissions', at])));
  const permissions = permissionsOf(entry.permissions);
  cloud.setPermissions(entry.userName, permissions);
  return json(200, { userName: entry.userName, permissions });
}

const newDelivery = z.strictObject({
  port: z.string().min(1),
  printer: z.enum(['ready', 'not-ready']).default('ready'),
  seconds: z.number().min(0).max(86_400).default(0),
  ends: z.enum(['printed', 'failed', 'never']).default('printed'),
});

/** Sets how the service prints at the port with this serial number or name. */
export async function setDelivery(cloud: Controlled, call: ControlCall): Promise<Answer> {
  const { entry, file } = await entryIn(call, newDelivery);
  refuseFile(file);
  const { port, printer, seconds: span, ends } = entry;
  const { outputPorts } = cloud.state;
  const names = outputPorts.flatMap(({ deviceSerial, name }) => [deviceSerial, name]);
  const found =
    outputPorts.find(({ deviceSerial }) => deviceSerial === port) ??
    outputPorts.find(({ name }) => name === port);
  if (!found) throw new RangeError(`port: there is no ${port}${didYouMean(port, names)}`);
  cloud.setDelivery(found.id, { printer, after: seconds(span), ends });
  return json(200, { id: found.id, port: found.name, printer, seconds: span, ends });
}

const takenIn = ({ state }: Controlled): Taken =>
  takenBy({ users: state.users, documents: state.documents.map(({ info }) => info) });

/** Refuses with the first mistake, in the form of other `/simulator` errors. */
function refuse([first]: readonly Mistake[]): void {
  if (!first) return;
  throw new RangeError(
    `${first.path.length === 0 ? 'the body' : `${keyPath(first.path)}:`} ${first.message}`,
  );
}

function refuseFile(file: File | undefined): void {
  if (file) throw new RangeError('no file belongs to this order');
}
