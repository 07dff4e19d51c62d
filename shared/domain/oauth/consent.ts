import { ServiceError } from '../../errors/service-error.ts';
import type { Consent, ConsentName } from '../../ports/consents.ts';
import type { Application, Client } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { CONSENT_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret, newId } from '../basis/random.ts';
import type { AuthorizationRequest, ConsentRequest, RequestedScope } from './authorization-request.ts';
import { leadsToDevice } from './client-document.ts';

// Consent of users to clients that are identified by a metadata document. A consent is valid for one client, redirect URI and
// resource. If a document later lists another redirect URI, the user is asked again.

/** User's answer on a consent page. */
export interface ConsentAnswer {
  /** Scopes that the consent page showed to the user. */
  readonly shown: readonly string[];
  readonly allowed: readonly string[];
  readonly staysConnected: boolean;
}

/** Normalises a redirect URI for comparison. The port of a loopback URI is dropped, because it may differ at each login. */
const normaliseRedirect = (redirectUri: string) => {
  const url = new URL(redirectUri);
  if (url.protocol === 'http:') url.port = '';
  return url.href;
};

interface ConsentContext {
  readonly client: Client;
  readonly application: Application;
  readonly document?: { readonly refreshes: boolean } | undefined;
}

/**
 * Adds the required consent to the request from a client that is identified by a metadata document. Drops the parts that the
 * consent page does not show: individual claims, and the custom message, which the author of the link could have written.
 */
export function addConsentRequest(
  { claims: _, customMessage: __, ...request }: AuthorizationRequest,
  { client, application, document }: ConsentContext,
  { resource, scopes }: { readonly resource: string; readonly scopes: readonly RequestedScope[] },
): AuthorizationRequest {
  const { redirectUri, offlineAccess } = request;
  const names = [application.applicationId, client.clientId, normaliseRedirect(redirectUri), resource];
  const asked = scopes.map(({ name, sentence, acr }) =>
    omitUndefined<RequestedScope>({ name, sentence, acr }),
  );
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

// Authorization request for which the user's consent is needed.
type RequestWithConsent = Pick<AuthorizationRequest, 'prompts'> & { readonly consent: ConsentRequest };

/** Returns true if the user must confirm all scopes again, as with `prompt=consent` (OIDC Core §3.1.2.1). */
const mustAskAll = ({ consent, prompts }: RequestWithConsent) =>
  consent.isAlways || prompts.includes('consent');

/** Returns true if an earlier consent already covers the request. */
export function coversRequest(request: RequestWithConsent, known: Consent | undefined): known is Consent {
  const { scopes, offline } = request.consent;
  if (!known || mustAskAll(request) || (offline && !known.staysConnected)) return false;
  return scopes.every(({ name }) => known.scopes.includes(name));
}

/** Returns the scopes that a consent page must ask for: the scopes not allowed yet, or all if the user must confirm again. */
export function listScopesToAsk(
  request: RequestWithConsent,
  known: Consent | undefined,
): readonly RequestedScope[] {
  const { scopes } = request.consent;
  return known && !mustAskAll(request) ? scopes.filter(({ name }) => !known.scopes.includes(name)) : scopes;
}

/** Returns the scopes of a consent after the user's answer. */
const scopesAfter = (known: Consent | undefined, { shown, allowed }: ConsentAnswer): readonly string[] => [
  ...new Set([...(known?.scopes ?? []).filter((name) => !shown.includes(name)), ...allowed]),
];

/**
 * Returns the request with only the scopes that the user has allowed. The request then requires a second factor if one of these
 * scopes does.
 */
export function reduceToAllowed(
  request: AuthorizationRequest,
  known: Consent | undefined,
  answer: ConsentAnswer | undefined,
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

/** Formats the ID of a consent, as it is stored in tokens, codes and token families. */
export const formatConsentId = ({ key, mark }: ConsentName): string => `${key}.${mark}`;

/** Parses the ID of a consent. Malformed text yields a name that matches no consent. */
export function parseConsentId(consentId: string): ConsentName {
  const [key = '', mark = ''] = consentId.split('.');
  return { key, mark };
}

/** Finds the valid consent that a token names. */
export async function findConsentById(
  { consents }: PortsWith<'consents.find'>,
  userId: string,
  consentId: string,
  at: number,
): Promise<Consent | undefined> {
  const { key, mark } = parseConsentId(consentId);
  const known = await consents.find(userId, key, at);
  return known?.mark === mark ? known : undefined;
}

export type ConsentPorts = PortsWith<'consents.find' | 'consents.grant' | 'consents.listOf'>;

export interface NewConsentInput extends Pick<Consent, 'userId' | 'tenantId' | 'applicationId' | 'clientId'> {
  readonly request: AuthorizationRequest & { readonly consent: ConsentRequest };
  readonly answer: ConsentAnswer;
  readonly now: number;
}

/** Maximum number of attempts to store a consent. A user rarely answers two consent pages of one client at the same time. */
const TRIES = 5;

/**
 * Stores what a user has allowed, in addition to earlier scopes, for 90 days from `now` (epoch seconds). `isNewClient` is true
 * if it is the user's first consent for the client. Errors: `service_unavailable` after too many concurrent changes.
 */
export async function grantConsent(
  ports: ConsentPorts,
  { request, answer, now, ...owner }: NewConsentInput,
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
      revision: newId(),
      redirectUri: normaliseRedirect(request.redirectUri),
      resource: request.resources[0] ?? '',
      scopes: scopesAfter(known, answer),
      staysConnected: offline ? answer.staysConnected : known?.staysConnected === true,
      grantedAt: now,
      ...(known?.usedAt === undefined ? {} : { usedAt: known.usedAt }),
      expiresAt: now + CONSENT_SECONDS,
    };
    if (await ports.consents.grant(consent, known, now))
      return {
        consentId: formatConsentId(consent),
        isNewClient: !all.some((each) => each.clientId === clientId),
      };
  }
  throw new ServiceError('service_unavailable');
}
