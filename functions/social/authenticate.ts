import {
  isTrustedForEmail,
  requireMatchingSecret,
  requireProvider,
} from '../../shared/domain/social/provider.ts';
import {
  type LinkedTrust,
  type ProvenIdentity,
  readIdentity,
  resolveIdentity,
  type UpstreamUser,
} from '../../shared/domain/social/upstream-identity.ts';
import {
  consumeUpstream,
  type ReturnedUpstream,
  type UpstreamConsumption,
} from '../../shared/domain/social/upstream-login.ts';
import { createPageTrust, findMissingBindingProof } from '../../shared/domain/trust/binding.ts';
import { TENANT_WIDE } from '../../shared/domain/trust/generations.ts';
import { identityName } from '../../shared/domain/trust/names.ts';
import { createCredentialProof, mailboxProof } from '../../shared/domain/trust/proofs.ts';
import { proveAddress } from '../../shared/domain/trust/prove-address.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import type { OperationPorts, OperationRequest } from '../../shared/operation.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { UpstreamProfile, User } from '../../shared/ports/people.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import { fetchProfile } from '../../shared/providers/profile.ts';
import { createDialect } from '../../shared/providers/registry.ts';
import type { finishSocialLogin as operation } from './rows.ts';

export type CallbackPorts = OperationPorts<typeof operation>;
export type CallbackInput = OperationRequest<typeof operation>;

/** Response of a provider to a login, received in the browser in which the login began. */
export interface Callback {
  readonly upstream: ReturnedUpstream;
  /** Provider that the callback's address belongs to. */
  readonly provider: ProviderName;
  readonly input: CallbackInput;
  readonly consumption: UpstreamConsumption;
}

/** Returns the parameters of the provider's response: those stored from a POST or, without a POST, those in the query. */
function readAnswer({ upstream, input }: Callback): URLSearchParams {
  const given = Object.entries(upstream.posted ?? input.query ?? {});
  const answer = new URLSearchParams();
  for (const [name, value] of given) if (value) answer.set(name, value);
  answer.set('state', upstream.binding.state);
  return answer;
}

/**
 * Marks the login at the provider as used and fetches the user's profile. If a fault interrupted an earlier attempt, reuses the
 * profile that it fetched.
 */
export async function fetchIdentity(
  ports: CallbackPorts,
  { application, settings, now }: BrowserContext,
  callback: Callback,
): Promise<ProvenIdentity> {
  const { upstream, consumption } = callback;
  const { provider } = upstream.record;
  const preference = requireProvider(application, provider);
  await consumeUpstream(ports, upstream, { ...callback, issuer: preference.issuer }, now);
  const found = await ports.providerSecrets.find(application.applicationId, provider);
  const secret = requireMatchingSecret(preference, found);
  const login = {
    dialect: createDialect(provider, preference),
    account: { clientId: preference.clientId, secret },
    binding: upstream.binding,
    loopback: settings.loopback,
  };
  const profile = await consumption.redeem(() => fetchProfile(login, readAnswer(callback)));
  return readIdentity(provider, preference.issuer, profile, isTrustedForEmail(provider, preference));
}

/**
 * Permitted outcomes if the provider's account is not linked to a user yet: to create a user, or to link the account to an
 * existing user.
 */
export interface PermittedOutcomes {
  readonly createNewUser: boolean;
  /**
   * Returns the trust in the account and in the user's address, if the account is linked to the user who has the email address
   * that the provider verified. Returns undefined if this verification is not enough to add a credential.
   */
  readonly findLinking: (user: User) => Promise<LinkedTrust | undefined>;
}

/**
 * Returns the trust in an identity provider account and in the user's address, if the account is linked to the user who has the
 * email address that the provider verified. Returns undefined if this proof is not enough to add a credential.
 */
export async function linkByMailbox(
  ports: CallbackPorts,
  { application, now: at }: BrowserContext,
  user: User,
): Promise<LinkedTrust | undefined> {
  const { email } = user;
  if (!email) return undefined;
  const passkeys = await ports.passkeys.listOf(user.userId);
  const login = { user, passkeys, application, proofs: [], at };
  const { use, trust, newGenerations } = proveAddress(
    login,
    { attribute: 'email', address: email },
    mailboxProof(at),
    'pages',
  );
  if (use.worth === 'quarantined') return undefined;
  const address = trust ?? email;
  // If this is the first verification of the address, it supersedes all earlier credentials, and only the mailbox counts as a
  // factor.
  const owner = { ...user, email: { ...email, ...address }, generations: newGenerations ?? user.generations };
  const bound = { ...login, user: owner, proofs: [{ ...use, worth: 'proven' } as const] };
  return findMissingBindingProof(bound)
    ? undefined
    : { account: createPageTrust(bound), address, newGenerations };
}

/** User who logged in at a provider. `authTime` is the time of that authentication, if the provider reports it. */
export type AuthenticatedUser = UpstreamUser & Pick<UpstreamProfile, 'authTime'>;

/**
 * Completes the login at the provider and returns its user.
 * @throws `upstream_login_over`, and the errors of the provider and of `resolveIdentity`
 */
export async function authenticateAtProvider(
  ports: CallbackPorts,
  context: BrowserContext,
  callback: Callback,
  { createNewUser, findLinking }: PermittedOutcomes,
): Promise<AuthenticatedUser> {
  const { audit } = callback.input;
  const identity = await fetchIdentity(ports, context, callback);
  const found = await resolveIdentity(ports, { ...context, createNewUser, audit }, identity, findLinking);
  if ('user' in found)
    audit({
      userId: found.userId,
      ...(found.linked ? { events: ['identity.added'], provider: callback.provider } : {}),
    });
  audit({ method: 'social' });
  const { authTime } = identity.profile;
  return authTime === undefined ? found : { ...found, authTime };
}

/**
 * Returns the identity provider account as a factor of a login, used at `at` (epoch seconds). An account that this login links
 * does not count as a second factor in addition to the email address, because the mailbox's holder could have created the
 * account.
 */
export function createSocialProof(found: AuthenticatedUser, application: Application, at: number): MethodUse {
  const { authTime } = found;
  const proof = { method: 'social', at, ...(authTime === undefined ? {} : { authTime }) } as const;
  if (!('user' in found)) {
    const worth = 'signUp' in found ? 'proven' : 'verified';
    const { identity } = 'signUp' in found ? found.signUp : found.toLink;
    return { ...proof, worth, scope: TENANT_WIDE, credential: identityName(identity) };
  }
  const use = createCredentialProof(
    found.user,
    { trust: found.own, credential: identityName(found.own) },
    application,
    proof,
  );
  return found.linked && use.worth === 'proven' ? { ...use, worth: 'verified' } : use;
}
