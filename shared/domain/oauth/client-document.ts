import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import { ANY_HOST, HOST_NAME } from '../basis/host-name.ts';
import {
  DOCUMENT_REDIRECT_URIS_MAX,
  DOCUMENT_SECONDS_MAX,
  DOCUMENT_SECONDS_MIN,
  REFRESH_REUSE_SECONDS_MAX,
} from '../basis/limits.ts';
import { isOnThisMachine } from '../basis/public-address.ts';
import { isSameRedirect, type LocalExceptions, readRedirectUris } from '../basis/redirect-uri.ts';

// Clients without registration: the client ID is the URL of a metadata document about the client
// (draft-ietf-oauth-client-id-metadata-document-02). No record stores them; they are derived from the ID and the application.

/** Returns true if a client ID is the URL of a metadata document. IDs of registered clients are never URLs. */
export const isDocumentId = (clientId: string): boolean => /^https?:\/\//.test(clientId);

export const isDocumentClient = ({ clientId }: Pick<Client, 'clientId'>): boolean => isDocumentId(clientId);

/** Returns true if the application accepts metadata documents from the host. */
function takesHost({ clientDocumentHosts: hosts = [] }: Application, host: string): boolean {
  return hosts.includes(ANY_HOST) || hosts.includes(host);
}

/** Returns true if the application's current settings accept a client that is identified by a metadata document. */
export const acceptsDocument = (application: Application, clientId: string): boolean =>
  takesHost(application, URL.parse(clientId)?.hostname ?? '');

/**
 * Validates the URL of a metadata document. It must be in canonical form, because it is compared as text (§3): `https`, a host
 * name and a path, without query, fragment, user or port. The local server also accepts `http` and any port on its own machine.
 * Errors: `system_invalid_input`.
 */
export function readDocumentId(clientId: string, { loopback }: LocalExceptions): URL {
  const url = URL.parse(clientId);
  const isLocal = loopback && url !== null && isOnThisMachine(url);
  const isPublic = url?.protocol === 'https:' && url.port === '' && HOST_NAME.test(url.hostname);
  // The parser normalises the URL: it resolves `..`, converts to lower case and adds what is missing. If it changes the URL,
  // the URL was not canonical.
  const isPlain = url?.href === clientId && !/[?#]/.test(clientId) && url.username + url.password === '';
  if (!url || !isPlain || !(isLocal || isPublic))
    throw invalidInput('client_id: must be an https address without query, fragment, user and port');
  return url;
}

/** Builds the client for a metadata document, in the form of a registered client. The client is public and must use PKCE. */
function documentClient(clientId: string, application: Application): Client {
  const { tenantId, applicationId, createdAt, updatedAt } = application;
  return {
    clientId,
    tenantId,
    applicationId,
    kind: 'application',
    name: URL.parse(clientId)?.hostname ?? clientId,
    authMethod: 'none',
    secrets: [],
    createdAt,
    updatedAt,
  };
}

/**
 * Returns the number of seconds for which a public client may repeat a refresh with the same token. A client identified by a
 * metadata document gets the maximum, because its developers do not know the application's setting.
 */
export const findRefreshRepeatSeconds = (
  client: Client,
  { refreshReuseSeconds }: Application,
  otherwise: number,
): number => (isDocumentClient(client) ? REFRESH_REUSE_SECONDS_MAX : (refreshReuseSeconds ?? otherwise));

/** Returns the client for a metadata document, or undefined if the application no longer accepts it. */
export function findDocumentClient(
  clientId: string,
  application: Application | undefined,
  tenant: Tenant | undefined,
): { readonly client: Client; readonly application: Application; readonly tenant: Tenant } | undefined {
  if (!application || application.tenantId !== tenant?.tenantId || !acceptsDocument(application, clientId))
    return undefined;
  return { client: documentClient(clientId, application), application, tenant };
}

/** Fields of a metadata document that the service uses. */
export interface ClientDocument {
  readonly redirectUris: readonly string[];
  /** True if the client uses refresh tokens (`grant_types`). */
  readonly refreshes: boolean;
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const includes = (value: unknown, wanted: string) => isTextList(value) && value.includes(wanted);

/** Returns what is wrong with a metadata document, or undefined if it is valid. */
function findFault(clientId: string, document: Readonly<Record<string, unknown>>): string | undefined {
  const {
    client_id,
    client_secret,
    token_endpoint_auth_method: method = 'none',
    redirect_uris,
    response_types = ['code'],
    grant_types = ['authorization_code'],
  } = document;
  if (client_id !== clientId) return 'names another client_id';
  if (method !== 'none' || client_secret !== undefined)
    return 'must have token_endpoint_auth_method none: other methods are not supported';
  if (!isTextList(redirect_uris) || redirect_uris.length === 0) return 'has no redirect_uris';
  if (redirect_uris.length > DOCUMENT_REDIRECT_URIS_MAX)
    return `has more than ${DOCUMENT_REDIRECT_URIS_MAX} redirect_uris`;
  if (!includes(response_types, 'code') || !includes(grant_types, 'authorization_code'))
    return 'does not allow the authorization code grant';
  return undefined;
}

/** Parses a metadata document as a JSON object. Errors: `system_invalid_input`. */
function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The exception is ignored: the error below also covers invalid JSON.
  }
  throw invalidInput('client_id: its metadata document is not a JSON object');
}

/**
 * Validates the metadata document of a client (Client ID Metadata Document draft, §4, §8.1). Errors: `system_invalid_input`.
 */
export function readDocument(clientId: string, body: string): ClientDocument {
  const document = parse(body);
  const fault = findFault(clientId, document);
  if (fault !== undefined) throw invalidInput(`client_id: its metadata document ${fault}`);
  const { redirect_uris: uris, grant_types: grants } = document;
  return {
    redirectUris: readRedirectUris(
      uris as readonly string[],
      'client_id: its metadata document: redirect_uris',
    ),
    refreshes: includes(grants, 'refresh_token'),
  };
}

/** Returns true if a metadata document lists the redirect URI. On a loopback host the port may differ (RFC 8252 §7.3). */
export const listsRedirectUri = ({ redirectUris }: ClientDocument, given: string): boolean =>
  redirectUris.some((uri) => isSameRedirect(uri, given, 'and localhost'));

/** Returns true if a redirect URI leads to a program on the device. Another program could use the same URI (RFC 8252 §8.6). */
export function leadsToDevice(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return isOnThisMachine(url) || !/^https?:$/.test(url.protocol);
}

/** Returns the seconds for which a metadata document is cached: `max-age` of its `Cache-Control`, within our limits (§5.2). */
export function readCacheSeconds(cacheControl: string | undefined): number {
  const said = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  const isKept = said !== undefined && !/no-store|no-cache/i.test(cacheControl ?? '');
  const seconds = isKept ? Number(said) : DOCUMENT_SECONDS_MIN;
  return Math.min(Math.max(seconds, DOCUMENT_SECONDS_MIN), DOCUMENT_SECONDS_MAX);
}
