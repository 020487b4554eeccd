/** The permissions a user token may carry (UP in the spec), as the calls ask for them; the switches of an API key. */
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

/** What has all four. */
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

/** All that a release, and the enrolment of one's own card, ask for. */
export const everydayPermissions: readonly Permission[] = everyday;

export const allPermissions: readonly Permission[] = [
  ...new Set([
    ...everyday,
    ...subjects.flatMap((subject) => deeds.map((deed) => `${deed}${subject}` as const)),
    ...administrative,
  ]),
];

/** What each deed at one thing asks for; who changes a thing has to be able to see it. */
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
