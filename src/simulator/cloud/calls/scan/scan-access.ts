/** Access to scan workflows of the simulated cloud (spec, ScanWorkflowAccessInfo). */
import { Deviation, errorAnswer, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { readJson } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { AccessData, ScanAccess } from '../../records/scan-records.ts';
import { accessData } from '../../records/scan-records.ts';
import type { Collection } from '../collection.ts';
import { requireScanning } from './scan-connectors.ts';

const section = 'spec, ScanWorkflowAccessInfo';

export const scanAccess: Collection<ScanAccess, AccessData> = {
  path: '/scan/access',
  section,
  permissions: quartet('ScanWorkflowAccessRule'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanAccess: items }) => items,
  list: 'scanAccess',
  open: requireScanning,
  read: (call) => readJson(call, { schema: accessData, section }),
  show: (access, { state }) => ({
    ...access,
    // The workflow may have been renamed.
    workflowName: state.scanWorkflows.find(({ id }) => id === access.workflowId)?.name ?? access.workflowName,
  }),
  make(given, { context, id, before }) {
    const { workflowId, workflowName, identityId, identityName, allowAccess } = given;
    const { identityType = before?.identityType ?? 'User' } = given;
    const isSameType = identityType === before?.identityType;
    const workflow = context.state.scanWorkflows.find(
      fits('workflow', workflowId, workflowName, before?.workflowId),
    );
    const identity = identitiesIn(context, identityType).find(
      fits('identity', identityId, identityName, isSameType ? before.identityId : undefined),
    );
    if (!workflow || !identity) throw refused('no such workflow or identity', 404);
    return {
      id,
      identityType,
      allowAccess,
      workflowId: workflow.id,
      workflowName: workflow.name,
      identityId: identity.id,
      identityName: identity.name,
    };
  },
};

interface Named {
  readonly id: number;
  readonly name: string;
}

/** By id, by name, or by both. A change without either keeps the old one. */
function fits(what: string, id: number | undefined, name: string | undefined, before: number | undefined) {
  const wanted = id ?? (name === undefined ? before : undefined);
  if ((wanted ?? name) === undefined) {
    throw new Deviation(`${what}Id or ${what}Name is missing`, section, errorAnswer(400));
  }
  return (one: Named): boolean =>
    (wanted === undefined || wanted === one.id) && (name === undefined || name === one.name);
}

const identitiesIn = (
  { state: { users, groups } }: CloudContext,
  type: AccessData['identityType'],
): readonly Named[] =>
  type === 'User'
    ? users.map(({ id, userName }) => ({ id, name: userName }))
    : groups.map(({ id, groupName }) => ({ id, name: groupName }));
