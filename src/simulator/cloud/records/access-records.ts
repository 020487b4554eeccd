/** Access to the simulated cloud: roles, authorization codes and the audit log. */

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
