import { isTrustedForEmail, requireProvider } from '../../shared/domain/hosted-login/provider.ts';
import { consumeUpstream, type ReturnedUpstream } from '../../shared/domain/hosted-login/upstream-login.ts';
import {
  type ProvenIdentity,
  personOf,
  readIdentity,
  type UpstreamPerson,
} from '../../shared/domain/users/upstream-identity.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import { fetchProfile } from '../../shared/providers/profile.ts';
import { dialectOf } from '../../shared/providers/registry.ts';
import type { finishSocialLogin as operation } from './rows.ts';

export type CallbackPorts = PortsOf<typeof operation>;
export type CallbackInput = InputOf<typeof operation>;

/** A browser that has come back from a provider with an answer. */
export interface Arrival {
  readonly returned: ReturnedUpstream;
  readonly arrivedAt: ProviderName;
  readonly input: CallbackInput;
}

/** The answer, posted before or in the address. */
function answerOf({ returned, input }: Arrival): URLSearchParams {
  const given = Object.entries(returned.posted ?? input.query ?? {});
  const answer = new URLSearchParams();
  for (const [name, value] of given) if (value) answer.set(name, value);
  answer.set('state', returned.binding.state);
  return answer;
}

/** Uses the way up, then asks the provider. */
async function identityOf(
  ports: CallbackPorts,
  { application, settings }: BrowserContext,
  arrival: Arrival,
): Promise<ProvenIdentity> {
  const { returned, arrivedAt } = arrival;
  const { provider } = returned.record;
  const preference = requireProvider(application, provider);
  await consumeUpstream(ports, returned, arrivedAt, preference.issuer);
  const secret = await ports.providerSecrets.find(application.applicationId, provider);
  const profile = await fetchProfile(
    dialectOf(provider, preference),
    { clientId: preference.clientId, secret },
    returned.binding,
    answerOf(arrival),
    { loopback: settings.loopbackProviders },
  );
  return readIdentity(provider, preference.issuer, profile, isTrustedForEmail(provider, preference));
}

/**
 * Who has logged in at the provider. Errors: `upstream_login_over`, those of a provider, and of `personOf`.
 */
export async function identify(
  ports: CallbackPorts,
  context: BrowserContext,
  arrival: Arrival,
  createNewUser: boolean,
): Promise<UpstreamPerson> {
  const { audit } = arrival.input;
  const identity = await identityOf(ports, context, arrival);
  const person = await personOf(ports, context, identity, createNewUser);
  if ('user' in person)
    audit({ userId: person.userId, ...(person.linked ? { events: ['identity.added'] } : {}) });
  audit({ method: 'social' });
  return person;
}
