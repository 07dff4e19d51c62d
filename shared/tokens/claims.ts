import {
  CLAIM_FIELDS,
  type ClaimName,
  type ClaimRequest,
  type OtherUserClaim,
  type UserClaimName,
} from '../domain/claims/claims-request.ts';
import { isRequested } from '../domain/claims/stored-claims.ts';
import { findFullName } from '../domain/identifiers/person-name.ts';
import { listRolePermissions } from '../domain/oauth/roles.ts';
import { listMemberPermissions } from '../domain/organizations/membership.ts';
import { isVerifiedIn } from '../domain/trust/proofs.ts';
import type { Application, Tenant } from '../ports/directory.ts';
import type { Membership, User } from '../ports/people.ts';
import type { ApprovalData } from '../ports/signing.ts';

/** Data from which the claims of a user's tokens are computed. `authTime` is in epoch seconds. */
export interface TokenSubject {
  readonly user: User;
  readonly application: Pick<Application, 'applicationId' | 'roles'>;
  readonly membership?: Membership;
  readonly amr: readonly string[];
  readonly acr?: string;
  readonly authTime: number;
  readonly approvalData?: ApprovalData;
  readonly newUser: boolean;
}

export function readRoles({ user, membership }: TokenSubject): readonly string[] {
  return membership ? membership.roles : user.roles;
}

/** Returns the permissions of the user's roles at the application, and the permissions of an organization's administrator. */
function listPermissions(subject: TokenSubject): readonly string[] {
  const { application, membership } = subject;
  const ofMember = membership ? listMemberPermissions(membership) : [];
  return [...new Set([...ofMember, ...listRolePermissions(application, readRoles(subject))])];
}

/** User whose claims are read, and the application to which they are issued. */
interface UserAtApplication {
  readonly user: User;
  readonly application: Pick<Application, 'applicationId'>;
}

type ClaimReaders<Names extends string> = Readonly<Record<Names, (subject: UserAtApplication) => unknown>>;

/** Functions that compute a standard claim from the user record (OpenID Connect Core §5.1). */
const COMPUTED_CLAIM_READERS: ClaimReaders<OtherUserClaim> = {
  email: ({ user }) => user.email?.value,
  email_verified: ({ user, application }) => user.email && isVerifiedIn(user, user.email, application),
  phone_number: ({ user }) => user.phoneNumber?.value,
  phone_number_verified: ({ user, application }) =>
    user.phoneNumber && isVerifiedIn(user, user.phoneNumber, application),
  preferred_username: ({ user }) => user.username,
  name: ({ user }) => findFullName(user),
  updated_at: ({ user }) => user.updatedAt,
};

const toFieldReader = ([name, key]: readonly [string, keyof User]) =>
  [name, ({ user }: UserAtApplication) => user[key]] as const;
const USER_CLAIM_READERS = {
  ...COMPUTED_CLAIM_READERS,
  ...Object.fromEntries(Object.entries(CLAIM_FIELDS).map(toFieldReader)),
} as ClaimReaders<UserClaimName>;

const CLAIM_READERS: Readonly<Record<ClaimName, (subject: TokenSubject) => unknown>> = {
  ...USER_CLAIM_READERS,
  roles: readRoles,
  permissions: listPermissions,
  org_id: ({ membership }) => membership?.organizationId,
  org_roles: ({ membership }) => membership?.roles,
  approval_data: ({ approvalData }) => approvalData,
  acr: ({ acr }) => acr,
  auth_time: ({ authTime }) => authTime,
  tid: ({ user }) => user.tenantId,
  new_user: ({ newUser }) => newUser,
};

const withoutUndefined = (claims: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(claims.filter(([, value]) => value !== undefined));

/** Returns the claims with the given names, without claims that have no value for this user. */
export function claimsNamed(names: readonly ClaimName[], subject: TokenSubject): Record<string, unknown> {
  return withoutUndefined(names.map((name) => [name, CLAIM_READERS[name](subject)]));
}

/** Returns the user's claims with the given names. Ignores names of claims that are not about the user. */
export function userClaims(names: readonly string[], subject: UserAtApplication): Record<string, unknown> {
  const own = names.filter((name): name is UserClaimName => Object.hasOwn(USER_CLAIM_READERS, name));
  return withoutUndefined(own.map((name) => [name, USER_CLAIM_READERS[name](subject)]));
}

/**
 * Returns the requested claims that the user has. If a request lists values for a claim, the claim is returned only with one of
 * these values (OpenID Connect Core §5.5.1).
 */
export function claimsRequested(
  tenant: Pick<Tenant, 'salt'>,
  request: ReadonlyMap<ClaimName, ClaimRequest>,
  subject: TokenSubject,
): Record<string, unknown> {
  const claims = claimsNamed([...request.keys()], subject);
  const wanted = Object.entries(claims).filter(([name, value]) =>
    isRequested(tenant, request.get(name as ClaimName), value),
  );
  return Object.fromEntries(wanted);
}
