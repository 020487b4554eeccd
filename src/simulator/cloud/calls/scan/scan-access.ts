/** Who may use a scan workflow of the simulated cloud (spec, ScanWorkflowAccessInfo). */
import { z } from 'zod';
import type { Call } from '../../call.ts';
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
  .refine((one) => one.workflowId !== undefined || one.workflowName !== undefined, {
    path: ['workflowId'],
    message: 'which workflow it is for is missing',
  })
  .refine((one) => one.identityId !== undefined || one.identityName !== undefined, {
    path: ['identityId'],
    message: 'who it is for is missing',
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
  calls: { list: true, one: true, create: ['POST', 'itself'], change: 'itself', remove: 'nothing' },
  items: ({ scanAccess: items }) => items,
  open: requireScanning,
  read: (call: Call) => readJson(call, { schema, section }),
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
