import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { clearCookie } from '../../shared/http/cookies.ts';
import type { InputOf, UseCase } from '../../shared/operation.ts';
import type { OperatorRole } from '../../shared/ports/operators.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { act } from './act.ts';
import { type Answer, callApi, type Operating, resultOf } from './engine/call.ts';
import { type ApiDocument, isJson, type Json, readDocument } from './engine/document.ts';
import { type Place, placeOf } from './engine/home.ts';
import { type ConsolePage, forwardPage, messagePage } from './engine/page.ts';
import type { Shown } from './engine/render.ts';
import { isOwnPath } from './login.ts';
import type * as rows from './rows.ts';
import { CONSOLE_COOKIE, endSession, findSession, isOwnForm, type LivingSession } from './session.ts';
import { actPage, screenPage, tenantsPage } from './show.ts';
import type { Visit, Who } from './visit.ts';

/** A screen of the console: one call for who the operator is, side by side with the reads of the screen. */

/** Who am I: the operator with the tenants and roles. */
const WHO = { method: 'GET', path: '/v1/operator' } as const;

type Input = InputOf<typeof rows.consoleScreen>;
type Ports = Parameters<UseCase<typeof rows.consoleScreen>>[1];

let known: { readonly given: object; readonly document: ApiDocument } | undefined;

/** Read once per container. */
async function documentOf({ apiDocument }: Using<'apiDocument'>): Promise<ApiDocument> {
  const given = await apiDocument.read();
  if (known?.given !== given) known = { given, document: readDocument(given) };
  return known.document;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function whoIn(json: Json): Who {
  const result = resultOf(json);
  const { email, auth_time, grants } = isJson(result) ? result : ({} as Json);
  const at =
    typeof auth_time === 'number' ? auth_time : Math.floor(Date.parse(textOf(auth_time)) / 1000) || 0;
  const all = Array.isArray(grants) ? grants.filter(isJson) : [];
  return {
    email: textOf(email),
    authTime: at,
    grants: all.map(({ tenant_id, tenant_name, role }) => ({
      tenantId: textOf(tenant_id),
      name: textOf(tenant_name) || textOf(tenant_id),
      role: role as OperatorRole,
    })),
  };
}

/** What a read takes of the address; undefined when it lacks what it needs, as a search before its word. */
function askedOf(
  document: ApiDocument,
  read: string,
  { parameters }: Place,
  query: Readonly<Record<string, string>>,
) {
  const operation = document.operations.get(read);
  if (!operation) return undefined;
  const given = operation.parameters.flatMap(({ name, in: where, required }) => {
    const value = where === 'path' ? parameters[name] : query[name]?.trim();
    return value ? [[name, value] as const] : required ? [undefined] : [];
  });
  if (given.includes(undefined)) return undefined;
  return { operation, parameters: Object.fromEntries(given.filter((each) => each !== undefined)) };
}

async function readAll(
  operating: Operating,
  document: ApiDocument,
  place: Place,
  query: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Answer>> {
  // A search is asked with a word alone: without one it would be a list of all.
  const isEmptySearch =
    place.screen.view === 'find' &&
    !Object.entries(query).some(([name, value]) => name !== 'act' && value.trim());
  const asked = place.screen.reads.flatMap((read) => {
    const one = isEmptySearch ? undefined : askedOf(document, read, place, query);
    return one ? [[read, one] as const] : [];
  });
  return new Map(
    await Promise.all(asked.map(async ([read, one]) => [read, await callApi(operating, one)] as const)),
  );
}

const pathOf = ({ request }: Input): string => request.path.replace(/^\/console\/?/, '');

/** Where to come back to after a login. */
function targetOf(input: Input): string {
  const query = new URLSearchParams(input.query).toString();
  const target = `/${pathOf(input).split('/').map(encodeURIComponent).join('/')}${query ? `?${query}` : ''}`;
  return isOwnPath(target) ? target : '/';
}

const toLogin = (input: Input, fresh?: string) => ({
  redirect: `/login?${new URLSearchParams({ to: targetOf(input), ...(fresh === undefined ? {} : { fresh }) })}`,
  cookies: [clearCookie(CONSOLE_COOKIE)],
});

const isOwnSite = ({ request }: Input): boolean => {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};

const notFound = (): ConsolePage =>
  messagePage({
    title: 'Not found',
    text: 'There is no such screen.',
    action: { href: '/', label: 'Console' },
    status: 404,
  });

async function show(input: Input, ports: Ports, session: LivingSession) {
  const { request, settings, query = {}, form } = input;
  const document = await documentOf(ports);
  const [tenant = '', ...rest] = pathOf(input).split('/');
  const place = placeOf(rest.join('/'));
  const { baseUrl } = settings;
  const operating: Operating = { baseUrl, accessToken: session.accessToken, tenantId: tenant || undefined };
  const asked = tenant && place ? readAll(operating, document, place, query) : undefined;
  const [me, answers] = await Promise.all([
    callApi({ ...operating, tenantId: undefined }, { operation: WHO }),
    asked,
  ]);
  if (!me.ok) {
    if (me.status === 401) return toLogin(input);
    return messagePage({
      title: 'Not now',
      text: me.message,
      action: { href: '/', label: 'Try again' },
      status: 503,
    });
  }
  const who = whoIn(me.json);
  if (!tenant) {
    const [only] = who.grants;
    return only && who.grants.length === 1
      ? { redirect: `/${encodeURIComponent(only.tenantId)}/` }
      : tenantsPage(who, session);
  }
  const grant = who.grants.find(({ tenantId }) => tenantId === tenant);
  if (!grant)
    return messagePage({
      title: 'Not yours',
      text: 'You have no role in this tenant. An admin of it can invite you.',
      action: { href: '/', label: 'Your tenants' },
      status: 403,
    });
  if (rest.join('') === '') return { redirect: `/${encodeURIComponent(tenant)}/people` };
  if (!place || !answers) return notFound();
  const shown: Shown = {
    ...{ document, role: grant.role, tenantId: tenant, screen: place.screen, parameters: place.parameters },
    ...{ query, answers, baseUrl, now: request.now },
  };
  const visit: Visit = { shown, who, operating, session };
  if (form) return act(visit, form);
  return query.act === undefined ? screenPage(visit) : actPage(visit, { operationId: query.act });
}

/** Shows a screen or the form of an action, and does what a form asks for. */
export const consoleScreen: UseCase<typeof rows.consoleScreen> = async (input, ports) => {
  const { request, settings } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { form } = input;
  // A form of another site, sent with the cookie by a browser that does not know `SameSite`.
  if (form && !isOwnSite(input))
    return messagePage({ title: 'Not from here', text: 'This form was sent by another page.', status: 403 });
  // A link from elsewhere brings no `Strict` cookie: once more from here.
  if (!form && !isOwnSite(input) && request.cookies[CONSOLE_COOKIE] === undefined)
    return forwardPage(targetOf(input));
  const session = await findSession(ports, settings, request.cookies, request.now);
  if (!session) return toLogin(input);
  if (form && !isOwnForm(session, form.csrf))
    return messagePage({
      title: 'Too old',
      text: 'This form is of another login. Go back, reload the page and send it again.',
      status: 403,
    });
  if (form && pathOf(input) === 'logout') {
    const cleared = await endSession(ports, settings, session);
    return {
      ...messagePage({
        title: 'Logged out',
        text: 'Your login has ended, here and at the login pages.',
        action: { href: '/login', label: 'Log in again' },
      }),
      cookies: [cleared],
    };
  }
  return show(input, ports, session);
};
