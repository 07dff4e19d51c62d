import {
  type Browser,
  type HeldSession,
  heldSession,
  LANGUAGE_COOKIE,
  readBrowser,
} from '../../domain/basis/browser.ts';
import { passkeyCookieName } from '../../domain/hosted-login/passkey-offer.ts';
import { shownLinks } from '../../domain/management/brand-links.ts';
import { clientByDocument, isDocumentId } from '../../domain/oauth/client-document.ts';
import { readLogo } from '../../domain/sending/email-content.ts';
import { askedFor, invalidInput } from '../../errors/service-error.ts';
import type { ErrorPageFacts, Settings } from '../../operation.ts';
import type { Application, ClientOfTenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { type Language, negotiateLanguage, probableCountry } from '../../templates/language.ts';
import type { Brand } from '../../templates/parts/brand.ts';

/** The client of a browser's request, the browser, and how pages for it look. */
export interface BrowserContext extends ClientOfTenant {
  readonly browser: Browser;
  /** What its login cookie at the tenant names. */
  readonly held: HeldSession | undefined;
  /** What its cookie says of passkeys in it at the tenant. */
  readonly passkeyAnswers: string | undefined;
  readonly settings: Settings;
  readonly language: Language;
  /** Where the browser probably is, in ISO 3166-1. */
  readonly country: string | undefined;
  readonly brand: Brand;
  readonly sourceAddress: string;
  readonly userAgent: string | undefined;
  /** Epoch seconds at which the request arrived. */
  readonly now: number;
}

/** How the application's pages look. The logo is inlined: a host that served it would learn who logs in. */
export function brandOf(application: Application): Brand {
  const { base64logo, ...look } = application.brand ?? {};
  const logo = base64logo === undefined ? undefined : readLogo(base64logo);
  return {
    ...look,
    name: application.name,
    logoDataUri: logo && `data:${logo.contentType};base64,${base64logo}`,
    links: shownLinks(application),
  };
}

/** The language of a page for this browser. */
export const languageOf = (
  { cookies, headers }: Pick<BrowserRequest, 'cookies' | 'headers'>,
  uiLocales?: string,
): Language =>
  negotiateLanguage({
    chosen: cookies[LANGUAGE_COOKIE],
    uiLocales,
    acceptLanguage: headers['accept-language'],
  });

interface Asked {
  readonly client_id: string;
  /** The application of a client by document, which no record names. */
  readonly app_id?: string | undefined;
  readonly ui_locales?: string | undefined;
}

type Directory = Using<'clients' | 'applications' | 'tenants'>;

interface BrowserRequest {
  readonly cookies: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly sourceAddress: string;
  readonly userAgent?: string;
  readonly now: number;
  readonly errorPage: ErrorPageFacts;
}

/** The client that is asked for, with its application and tenant. */
async function placeOf(
  ports: Directory,
  { client_id: clientId, app_id: named }: Asked,
): Promise<ClientOfTenant | undefined> {
  const isNamed = isDocumentId(clientId);
  const client = isNamed ? undefined : await ports.clients.find(clientId);
  const applicationId = isNamed ? named : client?.applicationId;
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  const tenantId = isNamed ? application?.tenantId : client?.tenantId;
  const tenant = tenantId === undefined ? undefined : await ports.tenants.find(tenantId);
  if (isNamed) return clientByDocument(clientId, application, tenant);
  return client && application && tenant ? { client, application, tenant } : undefined;
}

/**
 * The client of an authorization request, with its application and tenant. Errors: `system_invalid_input`, shown directly:
 * an unknown client has no redirect URI to trust.
 */
export async function browserContext(
  ports: Directory,
  asked: Asked,
  request: BrowserRequest,
  settings: Settings,
): Promise<BrowserContext> {
  const { client_id: clientId, ui_locales: uiLocales } = asked;
  request.errorPage.uiLocales = uiLocales;
  const place = await placeOf(ports, asked);
  if (!place) throw invalidInput('client_id: is unknown', askedFor(clientId));
  const { client, application, tenant } = place;
  request.errorPage.application = application;
  const preferences = { uiLocales, acceptLanguage: request.headers['accept-language'] };
  return {
    client,
    application,
    tenant,
    browser: readBrowser(request.cookies),
    held: heldSession(tenant, request.cookies),
    passkeyAnswers: request.cookies[passkeyCookieName(tenant.tenantId)],
    settings,
    language: languageOf(request, uiLocales),
    country: probableCountry(preferences),
    brand: brandOf(application),
    sourceAddress: request.sourceAddress,
    userAgent: request.userAgent,
    now: request.now,
  };
}
