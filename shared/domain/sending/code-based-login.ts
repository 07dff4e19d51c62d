// Code-based logins (SPEC section C). They end at a redirect URI with a code that the caller's backend exchanges for tokens.
import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { AuditFacts } from '../../ports/audit.ts';
import type { ApplicationOfTenant, ClientOfTenant } from '../../ports/directory.ts';
import type { StoredCode } from '../../ports/flows.ts';
import type { Identifier, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { AddressType } from '../../records/channels.ts';
import { awaitAll } from '../basis/await-all.ts';
import { readDevice } from '../basis/client-attributes.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newId } from '../basis/random.ts';
import { addParameters, requireRedirectUri, requireShortState } from '../basis/redirect-uri.ts';
import { readClaimsRequest } from '../claims/claims-request.ts';
import { storedClaims } from '../claims/stored-claims.ts';
import { readEmail, requireMailable } from '../identifiers/email-address.ts';
import { findOwner, normaliseIdentifier } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { normalisePhoneNumber } from '../identifiers/phone-number.ts';
import { requireNoProfile } from '../oauth/client-profile.ts';
import { type MembershipPorts, requireMembership } from '../organizations/membership.ts';
import { requireSignUp } from '../users/sign-up.ts';
import { requireReachable } from '../users/user-status.ts';
import { type Recipient, recipientReaders } from './delivery.ts';

export interface CodeBasedAddress {
  readonly identifier: Identifier & { readonly type: AddressType };
  /** Recipient of a message to a new user: an email address in the caller's spelling, or a phone number in E.164. */
  readonly address: string;
}

interface AddressForm {
  readonly description: string;
  /** Returns the normalised form of an address, to which messages are sent. Returns undefined if the address is invalid. */
  readonly spell: (given: string) => string | undefined;
}

const FORMS: Readonly<Record<AddressType, AddressForm>> = {
  email: { description: 'a valid email address', spell: (given) => readEmail(given)?.display },
  phone_number: {
    description: 'a valid phone number in international form',
    spell: normalisePhoneNumber,
  },
};

/** Reads the address of a code-based login. Throws `system_invalid_input`. */
export function readAddress(type: AddressType, given: string): CodeBasedAddress {
  const identifier = normaliseIdentifier(type, given);
  const address = FORMS[type].spell(given);
  if (!identifier || address === undefined) throw invalidInput(`${type}: is not ${FORMS[type].description}`);
  return { identifier: { type, value: identifier.value }, address };
}

/**
 * Parameters of a code-based login from the request that sends its code. They are plain JSON, stored until the code is used.
 */
export interface CodeBasedRequest {
  readonly redirectUri: string;
  readonly state?: string;
  readonly nonce?: string;
  readonly resource?: string;
  readonly claims?: string;
  readonly organizationId?: string;
  readonly requireMfa?: true;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

/** Reads the parameters of a code-based login. Throws `redirect_uri_not_allowed` or `system_invalid_input`. */
export function readCodeBasedRequest(
  { tenant, application, client }: ClientOfTenant,
  input: {
    readonly redirect_uri: string;
    readonly state?: string | undefined;
    readonly nonce?: string | undefined;
    readonly resource?: string | undefined;
    readonly claims?: Parameters<typeof readClaimsRequest>[0];
    readonly org_id?: string | undefined;
    readonly require_mfa?: boolean | undefined;
    readonly client_attributes?: Parameters<typeof readDevice>[0]['client_attributes'];
  },
): CodeBasedRequest {
  requireNoProfile(client);
  const { userAgent, ipAddress } = readDevice(input);
  requireShortState(input.state);
  return omitUndefined<CodeBasedRequest>({
    redirectUri: requireRedirectUri(application, input.redirect_uri),
    state: input.state,
    nonce: input.nonce,
    resource: input.resource,
    claims: storedClaims(tenant, readClaimsRequest(input.claims)),
    organizationId: input.org_id,
    requireMfa: input.require_mfa || undefined,
    userAgent,
    ipAddress,
  });
}

/**
 * Returns the addressee of a code-based login: the active user who has the address or, if sign-up is requested and allowed, a
 * new user. A login to an organization requires a member, so a new user cannot start it. Throws `user_not_found`,
 * `public_signup_off`, `user_not_active` or `membership_missing`.
 */
export async function requireAddressee(
  ports: MembershipPorts & PortsWith<'users.find'>,
  { tenant, application }: ApplicationOfTenant,
  { identifier, address, holderId }: CodeBasedAddress & { readonly holderId: string | undefined },
  wanted: {
    readonly createNewUser: boolean | undefined;
    readonly organizationId: string | undefined;
    readonly audit: (facts: AuditFacts) => void;
  },
): Promise<Pick<StoredCode, 'kind' | 'userId'> & { readonly recipient: Recipient; readonly user?: User }> {
  const { createNewUser, organizationId, audit } = wanted;
  if (holderId !== undefined) {
    const [user] = await awaitAll(
      findOwner(ports, tenant, identifier, holderId).then((found) => {
        // The user ID is logged before the checks, so that rejected messages also appear in the user's events.
        if (found) audit({ userId: holderId });
        return found;
      }),
      requireMembership(ports, tenant.tenantId, holderId, organizationId),
    );
    if (user) {
      return {
        kind: 'known',
        userId: requireReachable(user).userId,
        recipient: recipientReaders[identifier.type](tenant, user),
        user,
      };
    }
  }
  requireSignUp(application, createNewUser);
  if (organizationId !== undefined) throw new ServiceError('membership_missing');
  if (identifier.type === 'email') requireMailable('email', address);
  const recipient = { address, ownHash: identifierHash(tenant, identifier) };
  return { kind: 'signUp', userId: newId(), recipient };
}

const RESUME_PATH = '/v1/auth/resume';

/** Returns the path on the browser origin where a login continues after the correct code. */
export function resumePath(code: string): string {
  return addParameters(RESUME_PATH, { code });
}

/** Returns the URL where the browser continues after the user has entered the correct code. */
export function resumeUrl(browserOrigin: string, code: string): string {
  return `${browserOrigin}${resumePath(code)}`;
}
