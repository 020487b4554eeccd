/** The permissions a user token may carry (UP in the spec), as far as the calls of a terminal ask for them. */
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

const administrative = [
  'ViewReport',
  'CreateOutputPort',
  'ModifyOutputPort',
  'ViewLicense',
  'ModifyLicense',
  'ViewTerminalConfig',
  'CreateTerminalConfig',
  'ViewCertificate',
  'ViewEndpoint',
] as const;

export type Permission = (typeof everyday)[number] | (typeof administrative)[number];

/** All that a release, and the enrolment of one's own card, ask for. */
export const everydayPermissions: readonly Permission[] = everyday;

export const allPermissions: readonly Permission[] = [...everyday, ...administrative];
