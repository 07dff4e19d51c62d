import type { Auth } from '../../../shared/operation.ts';

const clientCredentials = (description: string) => ({
  type: 'oauth2',
  description,
  flows: { clientCredentials: { tokenUrl: '/cis/oidc/token', scopes: {} } },
});

/** OpenAPI security schemes of the API (SPEC "Authentication"). */
export const securitySchemes = {
  ClientAccessToken: clientCredentials(
    'An access token that a client of an application gets from the token endpoint and sends as `Authorization: Bearer`.',
  ),
  AdminAccessToken: clientCredentials(
    'An access token that a management client gets from the token endpoint. It grants access to everything in its tenant.',
  ),
  OperatorAccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of an operator: a login at the operator console, or of `otl`, with a passkey and a second factor type. The header `OTL-Tenant` names the tenant. `x-operator-role` of an operation is the lowest role that may call it; `guarded` means the role admin and a login within the last ten minutes, and all admins of the tenant are notified.',
  },
  UserAccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token that a user gets by logging in.',
  },
  OrgAdminAccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a login to an organization (`org_id`) by a member with the role organizationAdmin or organizationCreator; reaches the members of that organization.',
  },
  ClientSecretBasic: {
    type: 'http',
    scheme: 'basic',
    description: 'Client ID and secret by HTTP Basic, each form-urlencoded first (RFC 6749 §2.3.1).',
  },
};

type Requirement = Readonly<Record<string, readonly string[]>>;

/**
 * Alternative OpenAPI security requirements for each kind of authentication. Secrets in a form appear as `{}`, because OpenAPI
 * has no scheme for them.
 */
const REQUIREMENTS: Readonly<Record<Auth, readonly Requirement[]>> = {
  none: [],
  client: [{ ClientAccessToken: [] }],
  admin: [{ AdminAccessToken: [] }],
  operator: [{ OperatorAccessToken: [] }],
  user: [{ UserAccessToken: [] }],
  'org-admin': [{ OrgAdminAccessToken: [] }],
  'client-secret': [{ ClientSecretBasic: [] }, {}],
  'login-cookie': [],
  origin: [{}],
};

export function describeSecurity(auth: readonly Auth[]): readonly Requirement[] {
  return auth.flatMap((kind) => REQUIREMENTS[kind]);
}
