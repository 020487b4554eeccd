/** Who may use a scan workflow of the simulated cloud (spec, ScanWorkflowAccessInfo). */
import { z } from 'zod';
import { refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { readJson } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { Collection } from '../collection.ts';
import { requireScanning } from './scan-connectors.ts';

const schema = z
  .strictObject({
    id: z.int().min(0).optional(),
    workflowId: z.int().min(0).optional(),
    workflowName: z.string().optional(),
    identityId: z.int().min(0).optional(),
    identityName: z.string().optional(),
    identityType: z.enum(['User', 'Group']).default('User'),
    allowAccess: z.boolean().default(true),
  })
  .superRefine((one, { addIssue }) => {
    if ((one.workflowId ?? one.workflowName) === undefined) addIssue('workflowId or workflowName is missing');
    if ((one.identityId ?? one.identityName) === undefined) addIssue('identityId or identityName is missing');
  });
type AccessData = z.output<typeof schema>;

export interface ScanAccess {
  readonly id: number;
  readonly workflowId: number;
  readonly workflowName: string;
  readonly identityId: number;
  readonly identityName: string;
  readonly identityType: AccessData['identityType'];
  readonly allowAccess: boolean;
}

const section = 'spec, ScanWorkflowAccessInfo';

export const scanAccess: Collection<ScanAccess, AccessData> = {
  path: '/scan/access',
  section,
  permissions: quartet('ScanWorkflowAccessRule'),
  calls: { list: true, one: true, create: ['POST', 'itself'], change: ['PUT', 'itself'], remove: 'nothing' },
  items: ({ scanAccess: items }) => items,
  list: 'scanAccess',
  open: requireScanning,
  read: (call) => readJson(call, { schema, section }),
  show: (access, { state }) => ({
    ...access,
    // It may be called otherwise by now.
    workflowName: state.scanWorkflows.find(({ id }) => id === access.workflowId)?.name ?? access.workflowName,
  }),
  make({ identityType, allowAccess, ...given }, { context, id }) {
    const workflow = context.state.scanWorkflows.find((one) =>
      fits(one, given.workflowId, given.workflowName),
    );
    const identity = identitiesIn(context, identityType).find((one) =>
      fits(one, given.identityId, given.identityName),
    );
    if (!workflow || !identity) throw refused('no such workflow or identity', 404);
    return {
      ...{ id, identityType, allowAccess, workflowId: workflow.id, workflowName: workflow.name },
      ...{ identityId: identity.id, identityName: identity.name },
    };
  },
};

interface Named {
  readonly id: number;
  readonly name: string;
}

/** By its id, its name, or both. */
const fits = (one: Named, id: number | undefined, name: string | undefined): boolean =>
  (id === undefined || id === one.id) && (name === undefined || name === one.name);

const identitiesIn = (
  { state: { users, groups } }: CloudContext,
  type: AccessData['identityType'],
): readonly Named[] =>
  type === 'User'
    ? users.map(({ id, userName }) => ({ id, name: userName }))
    : groups.map(({ id, groupName }) => ({ id, name: groupName }));
