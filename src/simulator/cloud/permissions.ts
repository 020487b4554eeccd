/** The permissions of a user token (UP in the spec), and the switches of an API key. */
const everyday = [
  'ViewAccount',
  'ViewJob',
  'AddJob',
  'DeleteJob',
  'ReleaseJob',
  'ViewInputPort',
  'ViewOutputPort',
  'ViewLocations',
  'ViewAuthenticationProviders',
  'ViewUser',
  'ModifyUser',
  'CardManagement',
  'ViewUserBalance',
] as const;

/** The things for which all four permissions exist. */
const subjects = [
  'InputPort',
  'OutputPort',
  'User',
  'Locations',
  'AccessControls',
  'ScanWorkflow',
  'ScanWorkflowAccessRule',
] as const;
type Subject = (typeof subjects)[number];
const deeds = ['View', 'Create', 'Modify', 'Delete'] as const;

const administrative = [
  'ViewReport',
  'ViewLicense',
  'ModifyLicense',
  'ViewTerminalConfig',
  'CreateTerminalConfig',
  'ViewCertificate',
  'ModifyCertificate',
  'DeleteCertificate',
  'ViewEndpoint',
  'ViewLog',
  'CreateVendorAccount',
  'CreateAccount',
  'CreateContainer',
  'ModifyVendorAccount',
  'ModifyCustomerAccount',
  'ModifyAccount',
  'DeleteAccount',
  'GenerateShortID',
  'GenerateOTP',
  'ModifyAuthenticationProviders',
  'DeleteAuthenticationProviders',
  'ModifyBalancePricing',
  'ModifyUserBalance',
] as const;

export type Permission =
  | (typeof everyday)[number]
  | (typeof administrative)[number]
  | `${(typeof deeds)[number]}${Subject}`;

/** The permissions for a release and for enrolling the user's own card. */
export const everydayPermissions: readonly Permission[] = everyday;

export const allPermissions: readonly Permission[] = [
  ...new Set([
    ...everyday,
    ...subjects.flatMap((subject) => deeds.map((deed) => `${deed}${subject}` as const)),
    ...administrative,
  ]),
];

/** The permissions for each action on a thing. Every action needs the permission to view it. */
export interface Quartet {
  readonly view: readonly Permission[];
  readonly create: readonly Permission[];
  readonly modify: readonly Permission[];
  readonly remove: readonly Permission[];
}

export const quartet = (subject: Subject): Quartet => ({
  view: [`View${subject}`],
  create: [`View${subject}`, `Create${subject}`],
  modify: [`View${subject}`, `Modify${subject}`],
  remove: [`View${subject}`, `Delete${subject}`],
});

/** Switches of an API key (src/cloud/README.md 5). */
export const keyAllowances = ['unauthenticated-requests', 'untrusted-endpoints'] as const;
