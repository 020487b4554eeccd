/**
 * The records of an account apart from people, documents and printers, with the fields of the spec; and its roles,
 * authorization codes and audit log.
 */

/** The `accountType` of a container. */
export const container = 3;

export interface AccountInfo {
  readonly id: number;
  readonly name: string;
  /** 1 vendor, 2 customer, 3 container. */
  readonly accountType: 1 | 2 | typeof container;
  /** The primary domain first. */
  readonly domainNames: readonly string[];
  readonly uuid: string;
  /** IANA zone id. */
  readonly timezone?: string;
  /** The parent account. A container without a parent belongs to the first account. No call reports this field. */
  readonly parentId?: number;
}

export interface InputPortInfo {
  readonly id: number;
  readonly name: string;
  /** 0 pull queue, 1 push queue. */
  readonly portType: 0 | 1;
  /** The name of the output port of a push queue. */
  readonly outputPort?: string;
  readonly locationId?: number;
  readonly containerName?: string;
}

export interface GroupInfo {
  readonly id: number;
  readonly groupName: string;
  readonly groupDN: string;
}

/** The spec does not show these fields. They are those of the request (src/cloud/README.md 12, row 38). */
export interface AuthenticationProvider {
  readonly id: number;
  readonly name: string;
  /** 0 local, 1 LDAP, 2 cloud directory identity provider, 3 cloud identity provider. */
  readonly providerType: 0 | 1 | 2 | 3;
  /** JSON as text. Client and web secrets are shown only to a caller with an API key. */
  readonly typeConfiguration: Readonly<Record<string, unknown>>;
  readonly accountId: number;
  readonly priority: number;
  readonly active: boolean;
  readonly domainNames: readonly string[];
}

/** The words in answers. Requests use the numbers 1 to 4, in this order. */
export const locationTypes = ['GATEWAY_IP', 'SUBNET', 'IP_RANGE', 'WIFI_SSID'] as const;

export interface LocationInfo {
  readonly id: number;
  readonly name: string;
  readonly sortOrder: number;
  readonly identifiers: readonly {
    readonly locationType: (typeof locationTypes)[number];
    readonly searchValue: string;
  }[];
}

interface Shortcut<Id extends string> {
  readonly serviceId: Id;
  readonly enabled: boolean;
}

export interface TerminalConfig {
  readonly services: {
    readonly scanToMe: Shortcut<'SCANTOMAIL'> & { readonly instanceIndex: 1; readonly smtp: object };
    readonly print: Shortcut<'PRINT'> & { readonly instanceIndex: 1 };
    readonly printShortcut: Shortcut<'SHSVCPRINT'>;
    readonly shOfficeShortcut: Shortcut<'SHOFFICE'> & {
      readonly tenant: { readonly tenantId: string; readonly clientId: string };
    };
    readonly copyShortcut: Shortcut<'STANDARDCOPY'>;
    readonly standardScanShortcut: Shortcut<'STANDARDSCAN'>;
    readonly standardFaxShortcut: Shortcut<'STANDARDFAX'>;
  };
  readonly 'authentication-way': {
    readonly oneTimePasswordEnrollment: boolean;
    readonly cardOnlyAuthentication: boolean;
    readonly shortIdAuthentication: boolean;
    readonly developerLogEnabled: boolean;
  };
}

export interface NamedTerminalConfig {
  readonly id: number;
  readonly name: string;
  /** The ids of its output ports. */
  readonly devices: readonly number[];
  readonly config: TerminalConfig;
}

/** A certificate of the service. CertificateInfo is read from it. */
export interface ServiceCertificate {
  readonly store: 'ca' | 'chain' | 'root';
  readonly alias: string;
  readonly pem: string;
}

/** Answers contain the fields of the request and the id. */
export interface AccessControl {
  readonly id: number;
  readonly accountId: number;
  readonly authProviderId: number;
  readonly roleName: 'Administrators' | 'Users' | 'Reporting' | 'Support';
  readonly userName?: string | undefined;
  readonly groupName?: string | undefined;
  readonly groupDn?: string | undefined;
}

/** OAuth 2.1, section 4.1.2: a code is used once and expires soon. */
export interface AuthorizationCode {
  readonly code: string;
  readonly userId: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: number;
  /** The family of the tokens for which it was redeemed. */
  family?: string;
}

export interface AuditEvent {
  /** Wall time. */
  readonly at: number;
  readonly traceId: string;
  readonly method: string;
  /** The path of the route, with unfilled parts. */
  readonly path: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly status: number;
  readonly errorCode: number;
  /** A user, or the kind of client. */
  readonly by: {
    readonly kind: 'none' | 'device' | 'user' | 'unknown';
    readonly id: string;
    readonly name?: string;
    readonly providerId?: number;
  };
}
