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
import { isSameRedirect, type LocalLeave, readRedirectUris } from '../basis/redirect-uri.ts';

/**
 * Clients that nobody has registered: the client ID is the address of a document about the client
 * (draft-ietf-oauth-client-id-metadata-document-02). No record holds them; what they are follows from ID and application.
 */

/** Whether a client ID is an address. IDs of registered clients are not. */
export const isDocumentId = (clientId: string): boolean => /^https?:\/\//.test(clientId);

export const isByDocument = ({ clientId }: Pick<Client, 'clientId'>): boolean => isDocumentId(clientId);

/** Whether the application takes clients whose documents are on that host. */
function takesHost({ clientDocumentHosts: hosts = [] }: Application, host: string): boolean {
  return hosts.includes(ANY_HOST) || hosts.includes(host);
}

/** Whether the application takes the client, as it is set now. */
export const takesDocument = (application: Application, clientId: string): boolean =>
  takesHost(application, URL.parse(clientId)?.hostname ?? '');

/**
 * The address of a document, in the one spelling that is compared (§3): `https`, a host name, a path; no query, fragment, user or
 * port. The local cloud takes this machine too, by `http` and at any port. Errors: `system_invalid_input`.
 */
export function readDocumentId(clientId: string, { loopback }: LocalLeave): URL {
  const url = URL.parse(clientId);
  const isLocal = loopback && url !== null && isOnThisMachine(url);
  const isPublic = url?.protocol === 'https:' && url.port === '' && HOST_NAME.test(url.hostname);
  // The parser spells out what is left out, and takes `..`, capitals and a user away or leaves them in.
  const isPlain = url?.href === clientId && !/[?#]/.test(clientId) && url.username + url.password === '';
  if (!url || !isPlain || !(isLocal || isPublic))
    throw invalidInput('client_id: must be an https address without query, fragment, user and port');
  return url;
}

/** A client by document, as the rules see any other one: public, and bound to PKCE. */
function documentClient(clientId: string, application: Application): Client {
  const { tenantId, applicationId, createdAt, updatedAt } = application;
  return {
    clientId,
    tenantId,
    applicationId,
    kind: 'application',
    name: URL.parse(clientId)?.hostname ?? clientId,
    authMethod: 'none',
    requirePkce: true,
    secrets: [],
    createdAt,
    updatedAt,
  };
}

/** How long a public client may repeat a refresh token: one by document, whose makers are not the application's, the longest. */
export const reuseSecondsOf = (
  client: Client,
  { refreshReuseSeconds }: Application,
  otherwise: number,
): number => (isByDocument(client) ? REFRESH_REUSE_SECONDS_MAX : (refreshReuseSeconds ?? otherwise));

/** The client by document of an application; undefined where that takes it no more. */
export function clientByDocument(
  clientId: string,
  application: Application | undefined,
  tenant: Tenant | undefined,
): { readonly client: Client; readonly application: Application; readonly tenant: Tenant } | undefined {
  if (!application || application.tenantId !== tenant?.tenantId || !takesDocument(application, clientId))
    return undefined;
  return { client: documentClient(clientId, application), application, tenant };
}

/** What counts of a document. */
export interface ClientDocument {
  readonly redirectUris: readonly string[];
  /** It says that it refreshes (`grant_types`). */
  readonly refreshes: boolean;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const includes = (value: unknown, wanted: string) => isTexts(value) && value.includes(wanted);

/** What is wrong with a document; undefined: nothing. */
function complaintAbout(clientId: string, document: Readonly<Record<string, unknown>>): string | undefined {
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
  if (!isTexts(redirect_uris) || redirect_uris.length === 0) return 'has no redirect_uris';
  if (redirect_uris.length > DOCUMENT_REDIRECT_URIS_MAX)
    return `has more than ${DOCUMENT_REDIRECT_URIS_MAX} redirect_uris`;
  if (!includes(response_types, 'code') || !includes(grant_types, 'authorization_code'))
    return 'does not allow the authorization code grant';
  return undefined;
}

/** Errors: `system_invalid_input`. */
function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw invalidInput('client_id: its document is no JSON object');
}

/** Reads the document of a client (§4, §8.1). Errors: `system_invalid_input`. */
export function readDocument(clientId: string, body: string): ClientDocument {
  const document = parse(body);
  const complaint = complaintAbout(clientId, document);
  if (complaint !== undefined) throw invalidInput(`client_id: its document ${complaint}`);
  const { redirect_uris: uris, grant_types: grants } = document;
  return {
    redirectUris: readRedirectUris(uris as readonly string[], 'client_id: its document: redirect_uris'),
    refreshes: includes(grants, 'refresh_token'),
  };
}

/** Whether a document names the redirect URI. Of programs on a device the port may be another one (RFC 8252 §7.3). */
export const namesRedirect = ({ redirectUris }: ClientDocument, given: string): boolean =>
  redirectUris.some((uri) => isSameRedirect(uri, given, 'and localhost'));

/** Whether a redirect URI leads to a program on the device: any other one there may have the same (RFC 8252 §8.6). */
export function leadsToDevice(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return isOnThisMachine(url) || !/^https?:$/.test(url.protocol);
}

/** How many seconds a document is kept by what its `Cache-Control` says (§5.2). */
export function keptSeconds(cacheControl: string | undefined): number {
  const said = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  const isKept = said !== undefined && !/no-store|no-cache/i.test(cacheControl ?? '');
  return Math.min(Math.max(isKept ? Number(said) : 0, DOCUMENT_SECONDS_MIN), DOCUMENT_SECONDS_MAX);
}
