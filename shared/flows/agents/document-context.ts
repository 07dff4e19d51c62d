import { DOCUMENT_REFUSAL_SECONDS } from '../../domain/basis/limits.ts';
import { hashSecret } from '../../domain/basis/random.ts';
import { readRedirectUris } from '../../domain/basis/redirect-uri.ts';
import { type AuthorizationParameters, given } from '../../domain/oauth/authorization-request.ts';
import {
  type ClientDocument,
  keptSeconds,
  namesRedirect,
  readDocument,
  readDocumentId,
  takesDocument,
} from '../../domain/oauth/client-document.ts';
import { countNewDocument } from '../../domain/rate-limits/document-window.ts';
import { belongsTo } from '../../domain/sessions/audience.ts';
import { askedFor, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Settings } from '../../operation.ts';
import type { KnownDocument } from '../../ports/authorization.ts';
import type { Application } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { type BrowserContext, browserContext } from '../browser/browser-context.ts';

type Ports = Using<
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

/** The call, which one function alone can make: see shared/outbound/client-document.ts. */
type FetchDocument = (
  address: string,
  settings: Settings,
) => Promise<
  { readonly body: string; readonly cacheControl: string | undefined } | { readonly refusal: string }
>;

interface Asked {
  readonly fetchDocument: FetchDocument;
  readonly query: AuthorizationParameters & { readonly client_id: string };
  readonly request: BrowserRequest;
  readonly settings: Settings;
}

/** The context of a request by a client by document, and what its document says. */
export interface DocumentContext extends BrowserContext {
  readonly document: ClientDocument;
}

/**
 * The application that a client by document asks for: the one that the request names, else the one that has its resource. A URI is
 * one tenant's, and of the applications that have a resource of the tenant the first one that takes the client counts.
 */
async function applicationOf(
  ports: Ports,
  { app_id, resource, client_id = '' }: AuthorizationParameters,
): Promise<Application | undefined> {
  const [named, uri] = [given(app_id), given(resource)];
  if (named !== undefined) return ports.applications.find(named);
  const tenantId = uri === undefined ? undefined : await ports.uriOwnerRecords.find(uri);
  const record = tenantId && uri && (await ports.resources.findByUri(tenantId, uri));
  if (!tenantId || !record) return undefined;
  if (record.applicationId !== undefined) return ports.applications.find(record.applicationId);
  const known = await ports.applicationsOfTenant.list(tenantId);
  const first = known.find((each) => belongsTo(record, each) && takesDocument(each, client_id));
  return first && ports.applications.find(first.applicationId);
}

/** Fetches a document, for a day at most; what stands for no client is asked for again a minute later. */
async function loadDocument(
  fetchDocument: FetchDocument,
  clientId: string,
  now: number,
  settings: Settings,
): Promise<KnownDocument> {
  const fetched = await fetchDocument(clientId, settings);
  const refused = (refusal: string): KnownDocument => ({
    redirectUris: [],
    refreshes: false,
    refusal,
    expiresAt: now + DOCUMENT_REFUSAL_SECONDS,
  });
  if ('refusal' in fetched) return refused(`client_id: its document ${fetched.refusal}`);
  try {
    const expiresAt = now + keptSeconds(fetched.cacheControl);
    return { ...readDocument(clientId, fetched.body), expiresAt };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return refused(error.message);
  }
}

/**
 * The context of an authorization request whose client ID is an address. Application and redirect URI are checked before the document
 * is fetched, so that a stranger makes us call what the application trusts alone. Errors, shown directly: `system_invalid_input`,
 * `redirect_uri_not_allowed`, `rate_limited`.
 */
export async function documentContext(
  ports: Ports,
  { fetchDocument, query, request, settings }: Asked,
): Promise<DocumentContext> {
  const { client_id: clientId, redirect_uri: redirectUri, ui_locales: uiLocales } = query;
  request.errorPage.uiLocales = uiLocales;
  const { hostname: host } = readDocumentId(clientId, settings);
  const application = await applicationOf(ports, query);
  if (!application)
    throw invalidInput('resource: must be one of an application that takes clients by document');
  const asked = { client_id: clientId, app_id: application.applicationId, ui_locales: uiLocales };
  const context = await browserContext(ports, asked, request, settings);
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
  if (document.refusal !== undefined) throw invalidInput(document.refusal, askedFor(clientId));
  if (!namesRedirect(document, redirectUri))
    throw new ServiceError('redirect_uri_not_allowed', { asked: askedFor(redirectUri) });
  return { ...context, application: { ...context.application, redirectUris: [redirectUri] }, document };
}
