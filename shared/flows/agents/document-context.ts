import { DOCUMENT_REFUSAL_SECONDS } from '../../domain/basis/limits.ts';
import { hashSecret } from '../../domain/basis/random.ts';
import { readRedirectUris } from '../../domain/basis/redirect-uri.ts';
import { type AuthorizationParameters, readParameter } from '../../domain/oauth/authorization-request.ts';
import {
  acceptsDocument,
  type ClientDocument,
  listsRedirectUri,
  readCacheSeconds,
  readDocument,
  readDocumentId,
} from '../../domain/oauth/client-document.ts';
import { countNewDocument } from '../../domain/rate-limits/document-window.ts';
import { canUseResource } from '../../domain/sessions/audience.ts';
import { escapeRequested, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Settings } from '../../operation.ts';
import type { CachedClientDocument } from '../../ports/authorization.ts';
import type { Application } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type BrowserContext, browserContext } from '../browser/browser-context.ts';

type Ports = PortsWith<
  | 'clients'
  | 'applications'
  | 'tenants'
  | 'resources'
  | 'uriOwnerRecords.find'
  | 'applicationsOfTenant'
  | 'clientDocuments.find'
  | 'clientDocuments.put'
  | 'windows.count'
>;

type BrowserRequest = Parameters<typeof browserContext>[2];

/** Function that fetches a client metadata document. Only `shared/outbound/client-document.ts` implements it. */
type FetchDocument = (
  address: string,
  settings: Settings,
) => Promise<
  { readonly body: string; readonly cacheControl: string | undefined } | { readonly refusal: string }
>;

interface DocumentRequest {
  readonly fetchDocument: FetchDocument;
  readonly query: AuthorizationParameters & { readonly client_id: string };
  readonly request: BrowserRequest;
  readonly settings: Settings;
}

/** Browser context of an authorization request, together with the metadata document of its client. */
export interface DocumentContext extends BrowserContext {
  readonly document: ClientDocument;
}

/**
 * Finds the application for a login by a client with a metadata document: the application in `app_id`, or the owner of
 * `resource`. If the resource belongs to the whole tenant, returns the first application that accepts both the client and the
 * resource.
 */
async function findApplication(
  ports: Ports,
  { app_id, resource, client_id = '' }: AuthorizationParameters,
): Promise<Application | undefined> {
  const [named, uri] = [readParameter(app_id), readParameter(resource)];
  if (named !== undefined) return ports.applications.find(named);
  const tenantId = uri === undefined ? undefined : await ports.uriOwnerRecords.find(uri);
  const record = tenantId && uri && (await ports.resources.findByUri(tenantId, uri));
  if (!tenantId || !record) return undefined;
  if (record.applicationId !== undefined) return ports.applications.find(record.applicationId);
  const known = await ports.applicationsOfTenant.list(tenantId);
  const first = known.find((each) => canUseResource(record, each) && acceptsDocument(each, client_id));
  return first && ports.applications.find(first.applicationId);
}

/**
 * Fetches a client metadata document and caches it for at most a day. If the document does not identify the client, caches the
 * rejection for a minute.
 */
async function loadDocument(
  fetchDocument: FetchDocument,
  clientId: string,
  now: number,
  settings: Settings,
): Promise<CachedClientDocument> {
  const fetched = await fetchDocument(clientId, settings);
  const refused = (refusal: string): CachedClientDocument => ({
    redirectUris: [],
    refreshes: false,
    refusal,
    expiresAt: now + DOCUMENT_REFUSAL_SECONDS,
  });
  if ('refusal' in fetched) return refused(`client_id: its metadata document ${fetched.refusal}`);
  try {
    const expiresAt = now + readCacheSeconds(fetched.cacheControl);
    return { ...readDocument(clientId, fetched.body), expiresAt };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return refused(error.message);
  }
}

/**
 * Returns the context of an authorization request whose client ID is a URL. Checks the application and the redirect URI before
 * it fetches the document, so that unauthenticated callers can make the service call only hosts that the application trusts.
 * Errors, which are shown in the browser: `system_invalid_input`, `redirect_uri_not_allowed`, `rate_limited`.
 */
export async function documentContext(
  ports: Ports,
  { fetchDocument, query, request, settings }: DocumentRequest,
): Promise<DocumentContext> {
  const { client_id: clientId, redirect_uri: redirectUri, ui_locales: uiLocales } = query;
  request.errorPage.uiLocales = uiLocales;
  const { hostname: host } = readDocumentId(clientId, settings);
  const application = await findApplication(ports, query);
  if (!application)
    throw invalidInput('resource: must be one of an application that takes clients by document');
  const requestedClient = { client_id: clientId, app_id: application.applicationId, ui_locales: uiLocales };
  const context = await browserContext(ports, requestedClient, request, settings);
  if (redirectUri === undefined) throw invalidInput('redirect_uri: is required');
  readRedirectUris([redirectUri], 'redirect_uri');
  const { now } = context;
  const hash = hashSecret(clientId);
  const load = async () => {
    await countNewDocument(ports, context, host);
    const loaded = await loadDocument(fetchDocument, clientId, now, settings);
    await ports.clientDocuments.put(hash, loaded);
    return loaded;
  };
  const document = (await ports.clientDocuments.find(hash, now)) ?? (await load());
  if (document.refusal !== undefined) throw invalidInput(document.refusal, escapeRequested(clientId));
  if (!listsRedirectUri(document, redirectUri))
    throw new ServiceError('redirect_uri_not_allowed', { unknownValue: escapeRequested(redirectUri) });
  return { ...context, application: { ...context.application, redirectUris: [redirectUri] }, document };
}
