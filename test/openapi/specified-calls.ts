/**
 * The calls that the public API specification names, one for each of its lines, in its order. A line that is there twice
 * is one call for the making and for the changing of a thing.
 */
export const specifiedCalls: readonly string[] = [
  // Version
  'GET /version',
  // Account
  'GET /account',
  'HEAD /account',
  'PUT /account',
  'PATCH /account',
  'GET /account/containers',
  'PUT /account/container/{}',
  'DELETE /account/container/{}',
  // Login
  'POST /login',
  // Documents
  'GET /documents',
  'GET /documents/history',
  'POST /documents/history',
  'PUT /documents',
  'DELETE /documents/{}',
  'POST /documents/{}/{}',
  'GET /documents/{}.content',
  // Output ports
  'GET /outputports',
  'POST /outputports',
  'PUT /outputports',
  'PATCH /outputports/{}',
  'PUT /outputports',
  'PUT /outputports/{}/move',
  'DELETE /outputports/{}',
  // Input ports
  'PUT /inputports',
  'PUT /inputports',
  'GET /inputports',
  'DELETE /inputports/{}',
  // Users
  'GET /users',
  'GET /users/all',
  'PUT /users',
  'DELETE /users/{}',
  'POST /users/{}',
  'POST /users/import',
  'POST /users/{}/cards',
  'GET /users/{}/groups',
  'PUT /users/{}/groups',
  'POST /users/{}/groups',
  'DELETE /users/{}/groups',
  // Authentication providers
  'GET /authproviders',
  'PUT /authproviders',
  'DELETE /authproviders/{}',
  // Access controls
  'GET /accesscontrols',
  'PUT /accesscontrols',
  'DELETE /accesscontrols/{}',
  // Locations
  'GET /locations',
  'GET /locations/{}',
  'POST /locations',
  'PUT /locations/{}',
  'DELETE /locations/{}',
  // Card reader
  'GET /card',
  'POST /card',
  // Groups
  'GET /groups',
  'PUT /groups',
  'DELETE /groups/{}',
  'GET /groups/{}',
  'GET /groups/{}/members',
  // Terminal config
  'POST /terminalconfig',
  'GET /terminalconfig',
  // Token
  'GET /token',
  // Scan connectors
  'GET /scan/connectors/{}',
  'GET /scan/connectors',
  'PUT /scan/connectors/{}',
  'POST /scan/connectors',
  'DELETE /scan/connectors/{}',
  // Scan workflows
  'GET /scan/workflows/{}',
  'GET /scan/workflows',
  'PUT /scan/workflows/{}',
  'POST /scan/workflows',
  'DELETE /scan/workflows/{}',
  // Scan workflow access
  'GET /scan/access/{}',
  'GET /scan/access',
  'PUT /scan/access/{}',
  'POST /scan/access',
  'DELETE /scan/access/{}',
  // Certificates
  'POST /certificate/ca',
  'POST /certificate/chain',
  'GET /certificate/ca',
  'GET /certificate/chain',
  'DELETE /certificate/ca/{}',
  'DELETE /certificate/chain/{}',
  'GET /certificate/root',
  // Audit logs
  'GET /logs/auditlogs',
  // Endpoints
  'GET /endpoints/{}',
  'GET /endpoints',
  // Balance
  'GET /balance/config',
  'PUT /balance/config',
  'GET /balance',
  'GET /balance/transactions',
  'POST /balance/transactions',
  'POST /balance/check',
  'GET /balance/policies',
  'GET /balance/policies/{}',
  'GET /balance/policies/default',
  'POST /balance/policies',
  'PUT /balance/policies/{}',
  'PUT /balance/policies/default',
  'DELETE /balance/policies/{}',
  'PUT /balance/policies/order',
];
