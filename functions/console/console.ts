// Entry point of the console's screens. Requests the operator's data and calls the screen's read operations in parallel.

import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import type { OperationRequest, UseCase } from '../../shared/operation.ts';
import type { OperatorRole } from '../../shared/ports/operators.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { executeAction } from './act.ts';
import { type ApiAnswer, type ApiCredentials, callApi, readResult } from './engine/call.ts';
import { type ApiDocument, isJson, type Json, readDocument } from './engine/document.ts';
import { findScreen, type ScreenLocation } from './engine/home.ts';
import { type ConsolePage, forwardPage, messagePage } from './engine/page.ts';
import type { ScreenData } from './engine/render.ts';
import { isOwnPath } from './login.ts';
import type * as rows from './rows.ts';
import { CONSOLE_COOKIE, type ConsoleSession, endSession, findSession, isOwnForm } from './session.ts';
import { renderActionPage, screenPage, tenantsPage } from './show.ts';
import { completeQuery } from './views/views.ts';
import type { ConsoleRequest, Operator } from './visit.ts';

/** API operation that returns the operator with their tenants and roles. */
const GET_OPERATOR = { method: 'GET', path: '/v1/operator' } as const;

type Input = OperationRequest<typeof rows.consoleScreen>;
type Ports = Parameters<UseCase<typeof rows.consoleScreen>>[1];

/** Cache of the parsed API document, for the life of the function's container. */
let known: { readonly given: object; readonly document: ApiDocument } | undefined;

/** Returns the API document. Parses it once per container. */
async function loadDocument({ apiDocument }: PortsWith<'apiDocument'>): Promise<ApiDocument> {
  const given = await apiDocument.read();
  if (known?.given !== given) known = { given, document: readDocument(given) };
  return known.document;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the operator, the time of their login and their grants from the API's response. */
function readOperator(json: Json): Operator {
  const result = readResult(json);
  const { email, auth_time, grants } = isJson(result) ? result : ({} as Json);
  const all = Array.isArray(grants) ? grants.filter(isJson) : [];
  return {
    email: asText(email),
    authTime: Number(auth_time),
    grants: all.map(({ tenant_id, tenant_name, role }) => ({
      tenantId: asText(tenant_id),
      name: asText(tenant_name),
      role: role as OperatorRole,
    })),
  };
}

/** Returns a call to a read operation with its parameters, or undefined if the deployment lacks the operation. */
function toCall(
  document: ApiDocument,
  read: string,
  { parameters }: ScreenLocation,
  query: Readonly<Record<string, string>>,
) {
  const operation = document.operations.get(read);
  if (!operation) return undefined;
  const given = operation.parameters.flatMap(({ name, in: where }) => {
    const value = where === 'path' ? parameters[name] : query[name]?.trim();
    return value ? [[name, value] as const] : [];
  });
  return { operation, parameters: Object.fromEntries(given) };
}

/** Query for the operations that list the records to whose names a screen refers. */
const LOOKUP_QUERY = { limit: String(LIST_LIMIT_MAX) };

/** Calls all read operations of a screen in parallel and returns their responses by operation ID. */
async function readAll(
  operating: ApiCredentials,
  document: ApiDocument,
  place: ScreenLocation,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, ApiAnswer>> {
  const { reads, lookups = [] } = place.screen;
  const asked = [
    ...reads.map((read) => [read, query] as const),
    ...lookups.map((read) => [read, LOOKUP_QUERY] as const),
  ].flatMap(([read, given]) => {
    const one = toCall(document, read, place, given);
    return one ? [[read, one] as const] : [];
  });
  return new Map(
    await Promise.all(asked.map(async ([read, one]) => [read, await callApi(operating, one)] as const)),
  );
}

const toConsolePath = ({ request }: Input): string => request.path.replace(/^\/console\/?/, '');

/** Returns the path to open after a login. Returns `/` if the requested path would lead to another origin. */
function readLoginTarget(input: Input): string {
  const query = new URLSearchParams(input.query).toString();
  const target = `/${toConsolePath(input).split('/').map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
  return isOwnPath(target) ? target : '/';
}

/**
 * Redirects to the login page. The session cookie is not deleted, because a device-bound session continues once the browser has
 * renewed its bound cookie.
 */
const toLogin = (input: Input) => ({
  redirect: `/login?${new URLSearchParams({ to: readLoginTarget(input) })}`,
});

/** Maximum time in seconds for which a page waits for the browser to register the key of its device. */
const REGISTRATION_SECONDS = 30;

/**
 * Returns the page for a session that must be bound to a device but is not. The page repeats the request while the browser
 * registers its key. After `REGISTRATION_SECONDS`, the page asks the operator to use another browser.
 */
function unboundPage(input: Input, { binding }: ConsoleSession): ConsolePage {
  if (binding && input.request.now < binding.provenAt + REGISTRATION_SECONDS)
    return forwardPage(readLoginTarget(input), 1);
  return messagePage({
    title: 'Use another browser',
    text: 'This console requires a login that is bound to your device. Log in with Chrome 145 or later on Windows, or 147 or later on macOS.',
    action: { href: '/login', label: 'Log in again' },
    status: 403,
  });
}

/**
 * Returns true if the request comes from a page of this origin or from a typed URL, or if the browser sends no
 * `Sec-Fetch-Site`.
 */
const isOwnSite = ({ request }: Input): boolean => {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};

const notFound = (): ConsolePage =>
  messagePage({
    title: 'Not found',
    text: 'This page does not exist.',
    action: { href: '/', label: 'Console' },
    status: 404,
  });

/**
 * Handles a logged-in operator's request: checks the role in the tenant, then shows a screen or form, or executes an action.
 */
async function show(input: Input, ports: Ports, session: ConsoleSession) {
  const { request, settings, query = {}, form } = input;
  const document = await loadDocument(ports);
  const [tenant = '', ...rest] = toConsolePath(input).split('/');
  const place = findScreen(rest.join('/'));
  const { baseUrl } = settings;
  const operating: ApiCredentials = {
    baseUrl,
    accessToken: session.accessToken,
    tenantId: tenant,
  };
  const asked =
    tenant && place
      ? readAll(operating, document, place, completeQuery(place.screen, query, request.now))
      : new Map<string, ApiAnswer>();
  const [me, answers] = await Promise.all([
    callApi({ ...operating, tenantId: undefined }, { operation: GET_OPERATOR }),
    asked,
  ]);
  if (!me.ok) {
    if (me.status === 401) return toLogin(input);
    return messagePage({
      title: 'Temporarily unavailable',
      text: me.message,
      action: { href: '/', label: 'Try again' },
      status: 503,
    });
  }
  const who = readOperator(me.json);
  if (!tenant) {
    const [only] = who.grants;
    return only && who.grants.length === 1
      ? { redirect: `/${encodeURIComponent(only.tenantId)}/` }
      : tenantsPage(who, session);
  }
  const grant = who.grants.find(({ tenantId }) => tenantId === tenant);
  if (!grant)
    return messagePage({
      title: 'No access',
      text: 'You have no role in this tenant. One of its admins can invite you.',
      action: { href: '/', label: 'Your tenants' },
      status: 403,
    });
  if (rest.join('') === '') return { redirect: `/${encodeURIComponent(tenant)}/today` };
  if (!place) return notFound();
  const shown: ScreenData = {
    ...{ document, role: grant.role, tenantId: tenant, screen: place.screen, parameters: place.parameters },
    ...{ query, answers, baseUrl, now: request.now },
  };
  const visit: ConsoleRequest = { shown, who, operating, session };
  if (form) return executeAction(visit, form);
  return query.act === undefined ? screenPage(visit) : renderActionPage(visit, { operationId: query.act });
}

/** Shows a screen of the console or the form of an action, and executes submitted forms. */
export const consoleScreen: UseCase<typeof rows.consoleScreen> = async (input, ports) => {
  const { request, settings } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { form } = input;
  // A browser that does not support `SameSite` sends the cookie even with a form of another site.
  if (form && !isOwnSite(input))
    return messagePage({ title: 'Refused', text: 'This form was sent by another site.', status: 403 });
  // A browser sends no `Strict` cookie when a link on another site is followed. This page repeats the request from this origin.
  if (!isOwnSite(input) && request.cookies[CONSOLE_COOKIE] === undefined)
    return forwardPage(readLoginTarget(input));
  const session = await findSession(ports, settings, request.cookies, request.now);
  if (!session) return toLogin(input);
  if (settings.deviceBinding === 'required' && session.binding?.key === undefined)
    return unboundPage(input, session);
  if (form && !isOwnForm(session, form.csrf))
    return messagePage({
      title: 'Form expired',
      text: 'This form belongs to another login. Go back, reload the page and submit it again.',
      status: 403,
    });
  if (form && toConsolePath(input) === 'logout') {
    const cleared = await endSession(ports, settings, session);
    return {
      ...messagePage({
        title: 'Logged out',
        text: 'You are logged out of the console and of the login pages.',
        action: { href: '/login', label: 'Log in again' },
      }),
      cookies: [cleared],
    };
  }
  return show(input, ports, session);
};
