import {
  type Browser,
  LANGUAGE_COOKIE,
  type LoginCookie,
  readBrowser,
  readLoginCookie,
} from '../../domain/basis/browser.ts';
import { passkeyCookieName } from '../../domain/hosted-login/passkey-offer.ts';
import { listShownLinks } from '../../domain/management/brand-links.ts';
import { findDocumentClient, isDocumentId } from '../../domain/oauth/client-document.ts';
import { readLogo } from '../../domain/sending/email-content.ts';
import { escapeRequested, invalidInput } from '../../errors/service-error.ts';
import type { ErrorPageFacts, Settings } from '../../operation.ts';
import type { Application, ClientOfTenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type Language, negotiateLanguage, probableCountry } from '../../templates/language.ts';
import type { Brand } from '../../templates/parts/brand.ts';

/** Context of a browser request: the client, the browser, and the appearance and language of the browser's pages. */
export interface BrowserContext extends ClientOfTenant {
  readonly browser: Browser;
  /** Session named in the browser's login cookie for this tenant. */
  readonly cookieSession: LoginCookie | undefined;
  /** Value of the tenant's cookie that stores which users have a passkey in this browser or have declined to create one. */
  readonly passkeyAnswers: string | undefined;
  readonly settings: Settings;
  readonly language: Language;
  /** Country of the user, guessed from the browser's languages (ISO 3166-1). */
  readonly country: string | undefined;
  readonly brand: Brand;
  readonly sourceAddress: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

function toDataUri(base64logo: string | undefined): string | undefined {
  const logo = base64logo === undefined ? undefined : readLogo(base64logo);
  return logo && `data:${logo.contentType};base64,${base64logo}`;
}

/**
 * Returns the appearance of an application's pages. Logos are inlined, because a request to another host would tell that host
 * who logs in.
 */
export function readPageBrand(application: Application): Brand {
  const { base64logo, ...look } = application.brand ?? {};
  const providers = application.openidProviders?.map(
    ({ name, label, color, base64logo: logo }) =>
      [`openid/${name}`, { label, color, logoDataUri: toDataUri(logo) }] as const,
  );
  return {
    ...look,
    name: application.name,
    logoDataUri: toDataUri(base64logo),
    providers: providers && Object.fromEntries(providers),
    links: listShownLinks(application),
  };
}

/** Returns the language in which pages are shown to this browser. */
export const chooseLanguage = (
  { cookies, headers }: Pick<BrowserRequest, 'cookies' | 'headers'>,
  uiLocales?: string,
): Language =>
  negotiateLanguage({
    chosen: cookies[LANGUAGE_COOKIE],
    uiLocales,
    acceptLanguage: headers['accept-language'],
  });

interface RequestedClient {
  readonly client_id: string;
  /**
   * ID of the application to which a client with a metadata document wants to log users in. Such a client has no record that
   * names its application.
   */
  readonly app_id?: string | undefined;
  readonly ui_locales?: string | undefined;
}

type Directory = PortsWith<'clients' | 'applications' | 'tenants'>;

interface BrowserRequest {
  readonly cookies: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly sourceAddress: string;
  readonly userAgent?: string;
  readonly requestId: string;
  readonly now: number;
  readonly errorPage: ErrorPageFacts;
}

/** Finds the requested client together with its application and tenant. */
async function findClientOfTenant(
  ports: Directory,
  { client_id: clientId, app_id: named }: RequestedClient,
): Promise<ClientOfTenant | undefined> {
  const isNamed = isDocumentId(clientId);
  const client = isNamed ? undefined : await ports.clients.find(clientId);
  const applicationId = isNamed ? named : client?.applicationId;
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  const tenantId = isNamed ? application?.tenantId : client?.tenantId;
  const tenant = tenantId === undefined ? undefined : await ports.tenants.find(tenantId);
  if (isNamed) return findDocumentClient(clientId, application, tenant);
  return client && application && tenant ? { client, application, tenant } : undefined;
}

/**
 * Returns the context of an authorization request. `system_invalid_input` is shown in the browser, because an unknown client
 * has no redirect URI that can be trusted.
 */
export async function browserContext(
  ports: Directory,
  asked: RequestedClient,
  request: BrowserRequest,
  settings: Settings,
): Promise<BrowserContext> {
  const { client_id: clientId, ui_locales: uiLocales } = asked;
  request.errorPage.uiLocales = uiLocales;
  const place = await findClientOfTenant(ports, asked);
  if (!place) throw invalidInput('client_id: is unknown', escapeRequested(clientId));
  const { client, application, tenant } = place;
  request.errorPage.application = application;
  const preferences = { uiLocales, acceptLanguage: request.headers['accept-language'] };
  return {
    client,
    application,
    tenant,
    browser: readBrowser(request.cookies),
    cookieSession: readLoginCookie(tenant, request.cookies),
    passkeyAnswers: request.cookies[passkeyCookieName(tenant.tenantId)],
    settings,
    language: chooseLanguage(request, uiLocales),
    country: probableCountry(preferences),
    brand: readPageBrand(application),
    sourceAddress: request.sourceAddress,
    userAgent: request.userAgent,
    requestId: request.requestId,
    now: request.now,
  };
}
