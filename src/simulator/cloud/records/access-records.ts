/** Who may come in to the simulated cloud, and what was done there: roles, codes that stand for a person, the audit log. */

/** What is told are the fields of the request, with the id. */
export interface AccessControl {
  readonly id: number;
  readonly accountId: number;
  readonly authProviderId: number;
  readonly roleName: 'Administrators' | 'Users' | 'Reporting' | 'Support';
  readonly userName?: string | undefined;
  readonly groupName?: string | undefined;
  readonly groupDn?: string | undefined;
}

/** OAuth 2.1, section 4.1.2: it is used once, and soon. */
export interface AuthorizationCode {
  readonly code: string;
  readonly userId: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: number;
  /** Of the tokens that it was redeemed for. */
  family?: string;
}

export interface AuditEvent {
  /** Wall time. */
  readonly at: number;
  readonly traceId: string;
  readonly method: string;
  /** That of the route, its parts unfilled. */
  readonly path: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly status: number;
  readonly errorCode: number;
  /** A user, or what kind of client it was. */
  readonly by: {
    readonly kind: 'none' | 'device' | 'user' | 'unknown';
    readonly id: string;
    readonly name?: string;
    readonly providerId?: number;
  };
}
