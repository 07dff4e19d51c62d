// Finds or links the user of an account at a social provider.
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { ApplicationOfTenant, Tenant } from '../../ports/directory.ts';
import type { UpstreamAccount, UpstreamIdentity, UpstreamProfile, User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { GenerationBound, Generations, Trust } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { IDENTITIES_MAX } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newId } from '../basis/random.ts';
import { canReceiveMail, normaliseEmail } from '../identifiers/email-address.ts';
import { findHolderId, findOwner, hasIdentifier, identityIdentifier } from '../identifiers/identifier.ts';
import { personName } from '../identifiers/person-name.ts';
import {
  currentGeneration,
  hasEnded,
  hasValidGeneration,
  startsNewGeneration,
} from '../trust/generations.ts';
import { identityName } from '../trust/names.ts';
import { changeUser } from '../users/change-user.ts';
import { type PendingIdentity, requireSignUp } from '../users/sign-up.ts';
import { type ReplacePorts, replaceUser } from '../users/update-user.ts';
import { requireActive } from '../users/user-status.ts';

/** Account that a provider has confirmed in a login. */
export interface ProvenIdentity {
  readonly identity: UpstreamAccount;
  readonly profile: UpstreamProfile;
  /**
   * Email address of the account, in the provider's spelling (`display`). `proven` is true if the provider is trusted for email
   * addresses and has not reported this address as unverified.
   */
  readonly address?: { readonly display: string; readonly key: string; readonly proven: boolean };
}

/**
 * Reads the account from a provider's profile. An address that cannot receive mail is ignored. If `isTrusted`, an address
 * counts as proven unless the provider says that it is not verified.
 */
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
      email && canReceiveMail(email.display)
        ? { ...email, proven: isTrusted && profile.emailVerified !== false }
        : undefined,
  });
}

/**
 * User of an identity provider account: a known user, a user to be linked, or a user who is created when the code is exchanged.
 */
export type UpstreamUser =
  /**
   * User who has the account. `linked` is set if this login has linked the account by its email address. The account and the
   * address then count as one factor, because both prove access to the same mailbox.
   */
  | { readonly userId: string; readonly user: User; readonly own: UpstreamIdentity; readonly linked?: true }
  /** User who has the account's email address. They must use another factor before the account is linked. */
  | ({ readonly userId: string; readonly toLink: ProvenIdentity } & GenerationBound)
  | { readonly userId: string; readonly signUp: PendingIdentity };

/**
 * Trust of the social account and of the user's email address after the provider has proven that the user controls the mailbox.
 */
export interface LinkedTrust {
  readonly account: Trust;
  readonly address: Trust;
  readonly newGenerations: Generations | undefined;
}

interface ProvenLink {
  readonly proven: ProvenIdentity;
  readonly linking: LinkedTrust;
  readonly at: number;
}

type IdentityPorts = ReplacePorts & PortsWith<'identifiers' | 'users.find' | 'sessions.endAllOf'>;

/**
 * Adds an identity provider account to a user, and fills empty profile fields of the user. Existing values remain unchanged.
 */
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
 * Links an account to the user who has its email address. The address is checked again on the record that is replaced.
 * Errors: `provider_address_taken`, `identifier_taken` if the account was linked to another user in the meantime.
 */
export async function linkIdentity(
  ports: ReplacePorts,
  tenant: Tenant,
  found: User,
  { proven, linking, at }: ProvenLink,
): Promise<User> {
  return changeUser(ports, found, async (current) => {
    requireActive(current);
    // A concurrent login has already linked the account.
    if (hasIdentifier(current, identityIdentifier(proven.identity))) return current;
    const { email, identities, generations } = current;
    const stillTheirs = email !== undefined && normaliseEmail(email.value)?.key === proven.address?.key;
    const isStale = generations.highest !== found.generations.highest;
    if (!stillTheirs || isStale || identities.length >= IDENTITIES_MAX)
      throw new ServiceError('provider_address_taken');
    const identity = { ...proven.identity, ...linking.account };
    const next = completed(current, identity, proven.profile, at);
    const wanted = {
      ...next,
      email: { ...email, ...linking.address },
      generations: linking.newGenerations ?? generations,
    };
    return replaceUser(ports, tenant, { user: current, wanted });
  });
}

/**
 * Links an account to the user who has requested it in a login; the account's address does not matter. Errors:
 * `identifier_taken` if the account belongs to another user, `provider_address_taken` if the user has too many accounts,
 * `access_denied` if the login's credential generation has ended.
 */
export async function connectIdentity(
  ports: ReplacePorts,
  tenant: Tenant,
  login: GenerationBound & { readonly userId: string; readonly at: number },
  { identity, profile, trust }: ProvenIdentity & { readonly trust: Trust },
): Promise<void> {
  const who = { tenantId: tenant.tenantId, userId: login.userId };
  await changeUser(ports, who, async (current) => {
    requireActive(current);
    // An attacker's account must not be added after the owner's first verification of an address has ended the attacker's
    // login.
    if (hasEnded(current, login)) throw new ServiceError('access_denied');
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

/** Finds the user who has an email address, given by its normalised `key`. */
async function findByAddress(ports: IdentityPorts, tenant: Tenant, key: string): Promise<User | undefined> {
  const identifier = { type: 'email', value: key };
  const holderId = await findHolderId(ports, tenant, identifier);
  return holderId === undefined ? undefined : findOwner(ports, tenant, identifier, holderId);
}

/**
 * Finds the user of an account at a provider, first by the account's subject, then by its email address. An unproven address
 * links nothing, because an attacker could enter a victim's address in their own profile. The account is linked immediately if
 * the proof of the mailbox is enough to add a credential. `findLinking` then returns the trust of the account and of the
 * address; otherwise it returns undefined. Errors: `user_not_active`, `provider_address_taken`, `user_not_found`,
 * `public_signup_off`.
 */
export async function resolveIdentity(
  ports: IdentityPorts,
  { tenant, application, createNewUser, audit, now }: IdentityLogin,
  proven: ProvenIdentity,
  findLinking: (user: User) => Promise<LinkedTrust | undefined>,
): Promise<UpstreamUser> {
  const identifier = identityIdentifier(proven.identity);
  const name = identityName(proven.identity);
  const findOwnIdentity = (user: User) => user.identities.find((identity) => identityName(identity) === name);
  const holderId = await findHolderId(ports, tenant, identifier);
  const known = holderId === undefined ? undefined : await findOwner(ports, tenant, identifier, holderId);
  const own = known && findOwnIdentity(known);
  if (known && own) return { userId: requireActive(known).userId, user: known, own };

  const { address, profile, identity } = proven;
  const holder = address && (await findByAddress(ports, tenant, address.key));
  if (holder && address) {
    if (!address.proven) throw new ServiceError('provider_address_taken');
    const { email } = requireActive(holder);
    // If the address is superseded, the user needs another factor before the account is linked.
    const isOpen =
      email !== undefined && (hasValidGeneration(holder, email) || startsNewGeneration(holder, email));
    const linking = isOpen ? await findLinking(holder) : undefined;
    if (!linking) return { userId: holder.userId, toLink: proven, generation: currentGeneration(holder) };
    // The first verification of the mailbox is a login with the mailbox, and supersedes all earlier credentials.
    if (linking.newGenerations && holder.lastAuthAt !== undefined) {
      audit({ events: ['user.reclaimed'] });
      await ports.sessions.endAllOf(holder.userId, now);
    }
    const user = await linkIdentity(ports, tenant, holder, { proven, linking, at: now });
    const linked = findOwnIdentity(user);
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
      // An unproven address is not reserved, because that would block its owner.
      email: address?.proven ? address.display : undefined,
      firstName,
      lastName,
      picture,
      language,
    }),
  };
}
