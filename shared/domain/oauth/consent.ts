import { ServiceError } from '../../errors/service-error.ts';
import type { Consent, ConsentName } from '../../ports/consents.ts';
import type { Application, Client } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { CONSENT_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret, newId } from '../basis/random.ts';
import type { AskedScope, AuthorizationRequest, ConsentRequest } from './authorization-request.ts';
import { leadsToDevice } from './client-document.ts';

/**
 * What a person is asked before a client by document gets tokens, and what they have answered. One consent holds for a client, a
 * redirect URI and a resource: a document that names other ones later asks anew.
 */

/** What a person has allowed on a page. */
export interface Answer {
  /** The scopes that the page showed. */
  readonly shown: readonly string[];
  readonly allowed: readonly string[];
  readonly staysConnected: boolean;
}

/** A program on the device may listen at another port each time. */
const placeOf = (redirectUri: string) => {
  const url = new URL(redirectUri);
  if (url.protocol === 'http:') url.port = '';
  return url.href;
};

interface Asking {
  readonly client: Client;
  readonly application: Application;
  readonly document?: { readonly refreshes: boolean } | undefined;
}

/**
 * The request of a client by document, with what its page asks for. What the page does not show is left out: claims by name, and
 * a text that whoever builds the address has written.
 */
export function askingConsent(
  { claims: _, customMessage: __, ...request }: AuthorizationRequest,
  { client, application, document }: Asking,
  { resource, scopes }: { readonly resource: string; readonly scopes: readonly AskedScope[] },
): AuthorizationRequest {
  const { redirectUri, offlineAccess } = request;
  const names = [application.applicationId, client.clientId, placeOf(redirectUri), resource];
  const asked = scopes.map(({ name, sentence, acr }) => omitUndefined<AskedScope>({ name, sentence, acr }));
  return {
    ...request,
    consent: {
      key: hashSecret(JSON.stringify(names)),
      scopes: asked,
      offline: offlineAccess || document?.refreshes === true,
      isAlways: leadsToDevice(redirectUri),
    },
  };
}

type Asked = Pick<AuthorizationRequest, 'prompts'> & { readonly consent: ConsentRequest };

/** `prompt=consent` asks for all again (OIDC Core §3.1.2.1). */
const asksAll = ({ consent, prompts }: Asked) => consent.isAlways || prompts.includes('consent');

/** Whether a consent says already what the request asks. */
export function isRemembered(request: Asked, known: Consent | undefined): known is Consent {
  const { scopes, offline } = request.consent;
  if (!known || asksAll(request) || (offline && !known.staysConnected)) return false;
  return scopes.every(({ name }) => known.scopes.includes(name));
}

/** The scopes that the page asks for: the new ones, or all. */
export function scopesToAsk(request: Asked, known: Consent | undefined): readonly AskedScope[] {
  const { scopes } = request.consent;
  return known && !asksAll(request) ? scopes.filter(({ name }) => !known.scopes.includes(name)) : scopes;
}

/** The scopes of a consent after an answer. */
const scopesAfter = (known: Consent | undefined, { shown, allowed }: Answer): readonly string[] => [
  ...new Set([...(known?.scopes ?? []).filter((name) => !shown.includes(name)), ...allowed]),
];

/** The request with what the person has allowed, and no more: a scope may take a second factor. */
export function allowedBy(
  request: AuthorizationRequest,
  known: Consent | undefined,
  answer: Answer | undefined,
): AuthorizationRequest {
  const { consent } = request;
  if (!consent) return request;
  const allowed = answer ? scopesAfter(known, answer) : (known?.scopes ?? []);
  const staysConnected = consent.offline && (answer ? answer.staysConnected : known?.staysConnected === true);
  const isAllowed = (name: string) => (name === 'offline_access' ? staysConnected : allowed.includes(name));
  const needsMfa = consent.scopes.some(({ name, acr }) => acr === 'mfa' && isAllowed(name));
  return {
    ...request,
    scope: request.scope.split(' ').filter(isAllowed).join(' '),
    offlineAccess: staysConnected,
    requireMfa: request.requireMfa || needsMfa,
  };
}

/** A consent, as tokens, codes and families name it. */
export const consentIdOf = ({ key, mark }: ConsentName): string => `${key}.${mark}`;

/** A text that is no name of a consent is the name of none. */
export function consentNamed(consentId: string): ConsentName {
  const [key = '', mark = ''] = consentId.split('.');
  return { key, mark };
}

/** The living consent that a token names. */
export async function findNamed(
  { consents }: Using<'consents.find'>,
  userId: string,
  consentId: string,
  at: number,
): Promise<Consent | undefined> {
  const { key, mark } = consentNamed(consentId);
  const known = await consents.find(userId, key, at);
  return known?.mark === mark ? known : undefined;
}

export type GivePorts = Using<'consents.find' | 'consents.give' | 'consents.listOf'>;

export interface Giving extends Pick<Consent, 'userId' | 'tenantId' | 'applicationId' | 'clientId'> {
  readonly request: AuthorizationRequest & { readonly consent: ConsentRequest };
  readonly answer: Answer;
  readonly now: number;
}

/** As many answers of one person to one client at once as come about. */
const TRIES = 5;

/**
 * Stores what a person has allowed, beside what they had allowed before, from `now` (epoch seconds) for 90 days. Tells whether it is
 * the first consent for the client. Errors: `service_unavailable`, when others change it faster.
 */
export async function giveConsent(
  ports: GivePorts,
  { request, answer, now, ...owner }: Giving,
): Promise<{ readonly consentId: string; readonly isNewClient: boolean }> {
  const { userId, clientId } = owner;
  const { key, offline } = request.consent;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const all = await ports.consents.listOf(userId, now);
    const known = all.find((consent) => consent.key === key);
    const consent: Consent = {
      ...owner,
      key,
      mark: known?.mark ?? newId(),
      givenBy: newId(),
      redirectUri: placeOf(request.redirectUri),
      resource: request.resources[0] ?? '',
      scopes: scopesAfter(known, answer),
      staysConnected: offline ? answer.staysConnected : known?.staysConnected === true,
      givenAt: now,
      ...(known?.usedAt === undefined ? {} : { usedAt: known.usedAt }),
      expiresAt: now + CONSENT_SECONDS,
    };
    if (await ports.consents.give(consent, known, now))
      return {
        consentId: consentIdOf(consent),
        isNewClient: !all.some((each) => each.clientId === clientId),
      };
  }
  throw new ServiceError('service_unavailable');
}
