import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { lackForBinding, mailboxProof, secondAtAfter } from '../../shared/domain/credentials/fresh-login.ts';
import { markSecond } from '../../shared/domain/credentials/good-at.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { isTrustedForEmail, requireProvider, requireSecretOf } from '../../shared/domain/social/provider.ts';
import {
  type LinkMark,
  type ProvenIdentity,
  readIdentity,
  resolveIdentity,
  type UpstreamUser,
} from '../../shared/domain/social/upstream-identity.ts';
import { consumeUpstream, type ReturnedUpstream } from '../../shared/domain/social/upstream-login.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import { fetchProfile } from '../../shared/providers/profile.ts';
import { dialectOf } from '../../shared/providers/registry.ts';
import type { finishSocialLogin as operation } from './rows.ts';

export type CallbackPorts = PortsOf<typeof operation>;
export type CallbackInput = InputOf<typeof operation>;

/** An answer of a provider, in the browser that began the login there. */
export interface Callback {
  readonly upstream: ReturnedUpstream;
  /** The provider that the callback address belongs to. */
  readonly provider: ProviderName;
  readonly input: CallbackInput;
}

/** The provider's answer, as posted before or from the query. */
function answerOf({ upstream, input }: Callback): URLSearchParams {
  const given = Object.entries(upstream.posted ?? input.query ?? {});
  const answer = new URLSearchParams();
  for (const [name, value] of given) if (value) answer.set(name, value);
  answer.set('state', upstream.binding.state);
  return answer;
}

/** Spends the upstream login, then fetches the profile. */
export async function fetchIdentity(
  ports: CallbackPorts,
  { application, settings, now }: BrowserContext,
  callback: Callback,
): Promise<ProvenIdentity> {
  const { upstream } = callback;
  const { provider } = upstream.record;
  const preference = requireProvider(application, provider);
  await consumeUpstream(ports, upstream, callback.provider, preference.issuer, now);
  const found = await ports.providerSecrets.find(application.applicationId, provider);
  const secret = requireSecretOf(preference, found);
  const profile = await fetchProfile(
    dialectOf(provider, preference),
    { clientId: preference.clientId, secret },
    upstream.binding,
    answerOf(callback),
    { loopback: settings.loopbackProviders },
  );
  return readIdentity(provider, preference.issuer, profile, isTrustedForEmail(provider, preference));
}

/** What may follow from an account at a provider that no user has. */
export interface Wanted {
  readonly createNewUser: boolean;
  /** The mark with which it may be linked to the user who has its address. */
  readonly linkMark: (user: User) => Promise<LinkMark | undefined>;
}

/** The mark of the account, if the provider's proof of the mailbox is enough to bind it to the user. */
export async function linkByMailbox(
  ports: CallbackPorts,
  { application, settings, now: at }: BrowserContext,
  user: User,
): Promise<LinkMark | undefined> {
  const passkeys = await ports.passkeys.listOf(user.userId);
  const { rpId } = relyingPartyOf(application, settings);
  const login = { user, application, rpId, passkeys, proofs: [mailboxProof(at)], at };
  return lackForBinding(login) ? undefined : secondAtAfter(login);
}

/** The user who logged in at the provider. Errors: `upstream_login_over`, those of a provider and of `resolveIdentity`. */
export async function authenticateAtProvider(
  ports: CallbackPorts,
  context: BrowserContext,
  callback: Callback,
  { createNewUser, linkMark }: Wanted,
): Promise<UpstreamUser> {
  const { audit } = callback.input;
  const identity = await fetchIdentity(ports, context, callback);
  const found = await resolveIdentity(ports, context, identity, createNewUser, linkMark, context.now, audit);
  if ('user' in found)
    audit({ userId: found.userId, ...(found.linked ? { events: ['identity.added'] } : {}) });
  audit({ method: 'social' });
  return found;
}

/** The account at the provider as a factor of a login, given at `at` (epoch seconds). */
export function socialUse(found: UpstreamUser, application: Application, at: number): MethodUse {
  const { asleep, secondAt } = 'user' in found ? found : {};
  const use: MethodUse = { method: 'social', at, ...(asleep === undefined ? {} : { asleep }) };
  return markSecond(use, omitUndefined<LinkMark>({ secondAt }), application);
}
