import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Waking } from '../../ports/flows.ts';
import type { ProvenAddress, UpstreamIdentity, User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { Using } from '../../ports/uses.ts';
import { IDENTITIES_MAX } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newId } from '../basis/random.ts';
import { normaliseEmail } from '../identifiers/email-address.ts';
import { findHolderId, findOwner, hasIdentifier, identityIdentifier } from '../identifiers/identifier.ts';
import { isProvenAt } from '../identifiers/proven-address.ts';
import { wasProvenBefore } from '../identifiers/proven-before.ts';
import { awakeAs, fallenAsleep, identityName, isAsleep, isOver } from '../identifiers/sleep.ts';
import { changeUser } from '../users/change-user.ts';
import { firstProofOf } from '../users/first-proof.ts';
import { type PendingIdentity, requireSignUp } from '../users/sign-up.ts';
import { type ReplacePorts, replaceUser } from '../users/update-user.ts';
import { requireActive } from '../users/user-status.ts';

/** From an account at a social provider to a user. */

/** The user's profile at the provider, as the provider tells it. */
export interface ProviderProfile {
  readonly subject: string;
  readonly email?: string;
  /** Undefined: the provider does not say. */
  readonly emailVerified?: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly picture?: string;
  readonly language?: string;
}

export interface ProvenIdentity {
  readonly identity: UpstreamIdentity;
  readonly profile: ProviderProfile;
  /** `display` in the provider's spelling. */
  readonly address?: { readonly display: string; readonly key: string; readonly proven: boolean };
}

/** `isTrusted`: addresses from this provider count as proven, unless it says that one is not verified. */
export function readIdentity(
  provider: ProviderName,
  issuer: string | undefined,
  profile: ProviderProfile,
  isTrusted: boolean,
): ProvenIdentity {
  const email = profile.email === undefined ? undefined : normaliseEmail(profile.email);
  return omitUndefined<ProvenIdentity>({
    identity: omitUndefined<UpstreamIdentity>({ provider, issuer, subject: profile.subject }),
    profile,
    address: email && { ...email, proven: isTrusted && profile.emailVerified !== false },
  });
}

/** The user of an identity: known, or to be made at the exchange of the code. */
export type UpstreamUser =
  | {
      readonly userId: string;
      readonly user: User;
      readonly linked?: true;
      /** The account sleeps: its name in `asleep`. */
      readonly asleep?: string;
      readonly secondAt?: string;
    }
  /** The user has the address, and must give more before the account is linked. */
  | ({ readonly userId: string; readonly toLink: ProvenIdentity } & Waking)
  | { readonly userId: string; readonly signUp: PendingIdentity };

/** What is noted of an account when it is linked. */
export type LinkMark = Pick<UpstreamIdentity, 'secondAt'>;

type IdentityPorts = ReplacePorts & Using<'identifiers' | 'users.find' | 'sessions.endAllOf'>;

/** Fills the gaps of the user's record; what stands there stays. */
function completed(user: User, { profile, identity }: ProvenIdentity, at: number): User {
  return omitUndefined<User>({
    ...user,
    identities: [...user.identities, identity],
    firstName: user.firstName ?? profile.firstName,
    lastName: user.lastName ?? profile.lastName,
    picture: user.picture ?? profile.picture,
    updatedAt: at,
  });
}

/**
 * Adds the identity to the user with its address, checked once more on the record that is replaced. Without another proof
 * beside it, `sleep` says from when on all earlier proofs sleep.
 * Errors: `provider_address_taken`, `identifier_taken` when another user has just got the identity.
 */
export async function linkIdentity(
  ports: ReplacePorts,
  tenant: Tenant,
  found: User,
  proven: ProvenIdentity,
  at: number,
  sleep?: (user: User, address: ProvenAddress) => Promise<number | undefined>,
): Promise<User> {
  return changeUser(ports, tenant, found.userId, async (current) => {
    requireActive(current);
    // Another tab was faster.
    if (hasIdentifier(current, identityIdentifier(proven.identity))) return current;
    const { email } = current;
    const stillTheirs = email !== undefined && normaliseEmail(email.value)?.key === proven.address?.key;
    if (!stillTheirs || isAsleep(current, email) || current.identities.length >= IDENTITIES_MAX)
      throw new ServiceError('provider_address_taken');
    const sleepsAt = await sleep?.(current, { attribute: 'email', value: email.value });
    const slept = sleepsAt === undefined ? current : fallenAsleep(current, sleepsAt);
    const awake = awakeAs(slept.asleepBefore);
    const next = completed(slept, { ...proven, identity: { ...proven.identity, ...awake } }, at);
    const { provenAt: _, ...mailbox } = email;
    return replaceUser(ports, tenant, current, { ...next, email: { ...mailbox, verified: true, ...awake } });
  });
}

/**
 * Connects the account with the user who has asked for it; its address says nothing. `awake` is how the login of the user is
 * awake. Errors: `identifier_taken` when it is another user's, `provider_address_taken` with too many, `access_denied`.
 */
export async function connectIdentity(
  ports: ReplacePorts,
  tenant: Tenant,
  userId: string,
  proven: ProvenIdentity,
  at: number,
  awake: Waking & LinkMark,
): Promise<void> {
  await changeUser(ports, tenant, userId, async (current) => {
    requireActive(current);
    // The account of an attacker must not come after the first proof of the owner.
    if (isOver(current, awake)) throw new ServiceError('access_denied');
    if (hasIdentifier(current, identityIdentifier(proven.identity))) return current;
    if (current.identities.length >= IDENTITIES_MAX) throw new ServiceError('provider_address_taken');
    const identity = { ...proven.identity, ...awake };
    return replaceUser(ports, tenant, current, completed(current, { ...proven, identity }, at));
  });
}

/** The user with this address, if any. */
async function findByAddress(ports: IdentityPorts, tenant: Tenant, key: string): Promise<User | undefined> {
  const identifier = { type: 'email', value: key };
  const holderId = await findHolderId(ports, tenant, identifier);
  return holderId === undefined ? undefined : findOwner(ports, tenant, identifier, holderId);
}

/**
 * The user of an identity. The subject decides. An address links only if the provider has proven it: an attacker could
 * write a victim's address into their own profile there. It links at once if that proof of a mailbox is enough to bind: with
 * its `linkMark`.
 * Errors: `user_not_active`, `provider_address_taken`, `user_not_found`, `public_signup_off`.
 */
export async function resolveIdentity(
  ports: IdentityPorts,
  { tenant, application }: { readonly tenant: Tenant; readonly application: Application },
  proven: ProvenIdentity,
  createNewUser: boolean,
  linkMark: (user: User) => Promise<LinkMark | undefined>,
  at: number,
  audit: (context: AuditContext) => void,
): Promise<UpstreamUser> {
  const identifier = identityIdentifier(proven.identity);
  const holderId = await findHolderId(ports, tenant, identifier);
  const known = holderId === undefined ? undefined : await findOwner(ports, tenant, identifier, holderId);
  if (known) {
    const { userId, identities } = requireActive(known);
    const name = identityName(proven.identity);
    const own = identities.find((identity) => identityName(identity) === name);
    const { secondAt } = own ?? {};
    const asleep = own && isAsleep(known, own) ? name : undefined;
    return omitUndefined<UpstreamUser>({ userId, user: known, asleep, secondAt });
  }

  const { address, profile, identity } = proven;
  const holder = address && (await findByAddress(ports, tenant, address.key));
  if (holder && address) {
    if (!address.proven) throw new ServiceError('provider_address_taken');
    requireActive(holder);
    // The first proof of the mailbox is a login by it: what was proven before sleeps. None does for one that came back.
    const isFirst = !isProvenAt(holder.email, undefined) && !wasProvenBefore(holder, 'email');
    const mark = isFirst ? {} : await linkMark(holder);
    if (!mark) return { userId: holder.userId, toLink: proven, ...awakeAs(holder.asleepBefore) };
    const linked = { ...proven, identity: { ...identity, ...mark } };
    const user = await linkIdentity(ports, tenant, holder, linked, at, async (current, mailbox) => {
      const { sleepsAt, endSessions } = firstProofOf(ports, current, mailbox, undefined, at, audit);
      await endSessions();
      return sleepsAt;
    });
    return { userId: user.userId, user, linked: true };
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
