import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { ApplicationOfTenant, Tenant } from '../../ports/directory.ts';
import type { UpstreamAccount, UpstreamIdentity, UpstreamProfile, User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { Begun, Generations, Trust } from '../../ports/trust.ts';
import type { Using } from '../../ports/uses.ts';
import { IDENTITIES_MAX } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newId } from '../basis/random.ts';
import { normaliseEmail, takesMail } from '../identifiers/email-address.ts';
import { findHolderId, findOwner, hasIdentifier, identityIdentifier } from '../identifiers/identifier.ts';
import { personName } from '../identifiers/person-name.ts';
import { isCurrent, isNext, isOver, todays } from '../trust/generations.ts';
import { identityName } from '../trust/names.ts';
import { changeUser } from '../users/change-user.ts';
import { type PendingIdentity, requireSignUp } from '../users/sign-up.ts';
import { type ReplacePorts, replaceUser } from '../users/update-user.ts';
import { requireActive } from '../users/user-status.ts';

/** From an account at a social provider to a user. */

export interface ProvenIdentity {
  readonly identity: UpstreamAccount;
  readonly profile: UpstreamProfile;
  /** `display` in the provider's spelling. */
  readonly address?: { readonly display: string; readonly key: string; readonly proven: boolean };
}

/** An address that cannot get mail counts as none. `isTrusted`: addresses from this provider count as proven, unless it says that one is not verified. */
export function readIdentity(
  provider: ProviderName,
  issuer: string | undefined,
  profile: UpstreamProfile,
  isTrusted: boolean,
): ProvenIdentity {
  const email = profile.email === undefined ? undefined : normaliseEmail(profile.email);
  return omitUndefined<ProvenIdentity>({
    identity: omitUndefined<UpstreamAccount>({ provider, issuer, subject: profile.subject }),
    profile,
    address:
      email && takesMail(email.display)
        ? { ...email, proven: isTrusted && profile.emailVerified !== false }
        : undefined,
  });
}

/** The user of an identity: known, or to be made at the exchange of the code. */
export type UpstreamUser =
  /** `linked`: by this login, so the account is no factor beside the address that it names. */
  | { readonly userId: string; readonly user: User; readonly own: UpstreamIdentity; readonly linked?: true }
  /** The user has the address, and must give more before the account is linked. */
  | ({ readonly userId: string; readonly toLink: ProvenIdentity } & Begun)
  | { readonly userId: string; readonly signUp: PendingIdentity };

/** What the provider's proof of the mailbox makes of the address and of the account; undefined: it is not enough to link. */
export interface Linking {
  readonly account: Trust;
  readonly address: Trust;
  readonly handover: Generations | undefined;
}

interface ProvenLink {
  readonly proven: ProvenIdentity;
  readonly linking: Linking;
  readonly at: number;
}

type IdentityPorts = ReplacePorts & Using<'identifiers' | 'users.find' | 'sessions.endAllOf'>;

/** Fills the gaps of the user's record; what stands there stays. */
function completed(user: User, identity: UpstreamIdentity, profile: UpstreamProfile, at: number): User {
  return omitUndefined<User>({
    ...user,
    identities: [...user.identities, identity],
    firstName: user.firstName ?? (profile.firstName && personName(profile.firstName)),
    lastName: user.lastName ?? (profile.lastName && personName(profile.lastName)),
    picture: user.picture ?? profile.picture,
    updatedAt: at,
  });
}

/**
 * Adds the identity to the user with its address, checked once more on the record that is replaced.
 * Errors: `provider_address_taken`, `identifier_taken` when another user has just got the identity.
 */
export async function linkIdentity(
  ports: ReplacePorts,
  tenant: Tenant,
  found: User,
  { proven, linking, at }: ProvenLink,
): Promise<User> {
  return changeUser(ports, found, async (current) => {
    requireActive(current);
    // Another tab was faster.
    if (hasIdentifier(current, identityIdentifier(proven.identity))) return current;
    const { email, identities, generations } = current;
    const stillTheirs = email !== undefined && normaliseEmail(email.value)?.key === proven.address?.key;
    const isStale = generations.last !== found.generations.last;
    if (!stillTheirs || isStale || identities.length >= IDENTITIES_MAX)
      throw new ServiceError('provider_address_taken');
    const identity = { ...proven.identity, ...linking.account };
    const next = completed(current, identity, proven.profile, at);
    const wanted = {
      ...next,
      email: { ...email, ...linking.address },
      generations: linking.handover ?? generations,
    };
    return replaceUser(ports, tenant, { user: current, wanted });
  });
}

/**
 * Connects the account with the user who has asked for it, in a login of that generation; its address says nothing.
 * Errors: `identifier_taken` when it is another user's, `provider_address_taken` with too many, `access_denied`.
 */
export async function connectIdentity(
  ports: ReplacePorts,
  tenant: Tenant,
  login: Begun & { readonly userId: string; readonly at: number },
  { identity, profile, trust }: ProvenIdentity & { readonly trust: Trust },
): Promise<void> {
  const who = { tenantId: tenant.tenantId, userId: login.userId };
  await changeUser(ports, who, async (current) => {
    requireActive(current);
    // The account of an attacker must not come after the first proof of the owner.
    if (isOver(current, login)) throw new ServiceError('access_denied');
    if (hasIdentifier(current, identityIdentifier(identity))) return current;
    if (current.identities.length >= IDENTITIES_MAX) throw new ServiceError('provider_address_taken');
    const connected = completed(current, { ...identity, ...trust }, profile, login.at);
    return replaceUser(ports, tenant, { user: current, wanted: connected });
  });
}

interface IdentityLogin extends ApplicationOfTenant {
  readonly createNewUser: boolean;
  readonly audit: (context: AuditContext) => void;
  readonly now: number;
}

/** The user with this address, if any. */
async function findByAddress(ports: IdentityPorts, tenant: Tenant, key: string): Promise<User | undefined> {
  const identifier = { type: 'email', value: key };
  const holderId = await findHolderId(ports, tenant, identifier);
  return holderId === undefined ? undefined : findOwner(ports, tenant, identifier, holderId);
}

/**
 * The user of an identity. The subject decides. An address links only if the provider has proven it: an attacker could
 * write a victim's address into their own profile there. It links at once if that proof of a mailbox is enough to bind:
 * `linkingOf` says what becomes of both.
 * Errors: `user_not_active`, `provider_address_taken`, `user_not_found`, `public_signup_off`.
 */
export async function resolveIdentity(
  ports: IdentityPorts,
  { tenant, application, createNewUser, audit, now }: IdentityLogin,
  proven: ProvenIdentity,
  linkingOf: (user: User) => Promise<Linking | undefined>,
): Promise<UpstreamUser> {
  const identifier = identityIdentifier(proven.identity);
  const name = identityName(proven.identity);
  const ownOf = (user: User) => user.identities.find((identity) => identityName(identity) === name);
  const holderId = await findHolderId(ports, tenant, identifier);
  const known = holderId === undefined ? undefined : await findOwner(ports, tenant, identifier, holderId);
  const own = known && ownOf(known);
  if (known && own) return { userId: requireActive(known).userId, user: known, own };

  const { address, profile, identity } = proven;
  const holder = address && (await findByAddress(ports, tenant, address.key));
  if (holder && address) {
    if (!address.proven) throw new ServiceError('provider_address_taken');
    const { email } = requireActive(holder);
    // What is shut out needs company.
    const isOpen = email !== undefined && (isCurrent(holder, email) || isNext(holder, email));
    const linking = isOpen ? await linkingOf(holder) : undefined;
    if (!linking) return { userId: holder.userId, toLink: proven, generation: todays(holder) };
    // The first proof of the mailbox is a login by it: what was proven before is shut out.
    if (linking.handover && holder.lastAuthAt !== undefined) {
      audit({ events: ['user.reclaimed'] });
      await ports.sessions.endAllOf(holder.userId, now);
    }
    const user = await linkIdentity(ports, tenant, holder, { proven, linking, at: now });
    const linked = ownOf(user);
    if (!linked) throw new ServiceError('provider_address_taken');
    return { userId: user.userId, user, own: linked, linked: true };
  }
  requireSignUp(application, createNewUser);
  const { firstName, lastName, picture, language } = profile;
  return {
    userId: newId(),
    signUp: omitUndefined<PendingIdentity>({
      type: 'identity',
      identity,
      // An unproven address stays free: taken, it would keep its owner out.
      email: address?.proven ? address.display : undefined,
      firstName,
      lastName,
      picture,
      language,
    }),
  };
}
