import { brandOf } from '../../../shared/flows/browser/browser-context.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import { CHANNELS } from '../../../shared/records/channels.ts';
import { PROVIDERS } from '../../../shared/records/providers.ts';
import { identifyPage } from '../../../shared/templates/pages/identify-page.ts';
import { themeOf } from '../../../shared/templates/parts/brand.ts';
import type { LoginMethod } from '../../../shared/templates/parts/methods.ts';
import { shownMethods } from '../../../shared/templates/parts/methods.ts';
import { isJson, type Json } from '../engine/document.ts';
import {
  actsHtml,
  listHtml,
  recordHtml,
  recordOf,
  recordsOf,
  type Shown,
  troubleHtml,
  type View,
} from '../engine/render.ts';
import { plainly } from '../engine/values.ts';

/** An application: what is silently off, its settings in groups, and its look beside them. */

const METHODS: Readonly<Record<string, string>> = {
  link: 'no magic links by mail',
  email: 'no codes by mail',
  sms: 'no codes by text message',
  passkey: 'no passkeys',
};

const isNone = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

/** With its effect on people, and the setting that switches it on. */
function offIn(application: Json): readonly (readonly [effect: string, setting: string])[] {
  const { public_signup, hosted_sign_up, redirect_uris, post_logout_redirect_uris, origins, offer_passkeys } =
    application;
  const methods = isJson(application.login_preferences) ? application.login_preferences : {};
  const all: readonly (readonly [boolean, string, string])[] = [
    [public_signup !== true, 'new people cannot sign up', 'public_signup'],
    [public_signup === true && hosted_sign_up !== true, 'the hosted pages make no account', 'hosted_sign_up'],
    [isNone(redirect_uris), 'no login in a browser can end', 'redirect_uris'],
    [isNone(post_logout_redirect_uris), 'a logout leads back to no page', 'post_logout_redirect_uris'],
    [isNone(origins), 'pages of your own cannot use passkeys', 'origins'],
    [offer_passkeys === false, 'a login ends without the offer of a passkey', 'offer_passkeys'],
    ...Object.entries(METHODS).map(
      ([name, effect]) => [!isJson(methods[name]), effect, `login_preferences, ${name}`] as const,
    ),
  ];
  return all.flatMap(([off, effect, setting]) => (off ? [[effect, setting] as const] : []));
}

function offHtml(application: Json): string {
  const off = offIn(application);
  if (off.length === 0) return '';
  return `<section class="card"><h2>What is off</h2><ul>${off.map(([effect, setting]) => `<li>${plainly(effect)} <span class="soft">(<code>${plainly(setting)}</code>)</span></li>`).join('')}</ul></section>`;
}

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The record as the templates take it: the look, and the hosts that its links may lead to. */
function applicationOf({ name, brand, redirect_uris, home_uri, link_hosts }: Json): Application {
  const look = isJson(brand)
    ? Object.fromEntries(Object.entries(brand).map(([key, value]) => [camel(key), value]))
    : undefined;
  return {
    ...{ name: String(name ?? ''), brand: look, redirectUris: redirect_uris ?? [], linkHosts: link_hosts },
    ...(home_uri ? { homeUri: home_uri } : {}),
  } as unknown as Application;
}

const SHOWN: readonly LoginMethod[] = [...CHANNELS, ...PROVIDERS];

/** The first page of a login with the real template. The sandbox runs no script of it and sends none of its forms. */
function previewOf(record: Json): View {
  const methods = isJson(record.login_preferences) ? record.login_preferences : { email: {} };
  try {
    const brand = brandOf(applicationOf(record));
    const page = identifyPage({
      ...{ language: 'en', brand, action: '/', csrf: '' },
      methods: shownMethods(SHOWN.filter((name) => isJson(methods[name]))),
    }).replace(/<script>.*<\/script>| autofocus/gs, '');
    const attribute = page.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return {
      html: `<h2>The first page of a login</h2><iframe sandbox title="The first page of a login" srcdoc="${attribute}"></iframe>`,
      styles: [themeOf(brand)].filter(Boolean),
    };
  } catch {
    return { html: '<p class="card bad">This look has a mistake: the form says which when it is sent.</p>' };
  }
}

/** Leads through a real login to the first redirect URI, as the application would. */
function testLoginHtml(of: Shown, application: Json): string {
  const client = recordsOf(of, 'listClients')[0]?.client_id;
  const [redirectUri] = Array.isArray(application.redirect_uris)
    ? (application.redirect_uris as readonly string[])
    : [];
  if (typeof client !== 'string' || redirectUri === undefined)
    return '<p class="soft">A test login needs a client and a redirect URI.</p>';
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    prompt: 'login',
    state: 'test-login',
  });
  return `<p><a class="act" href="${plainly(`${of.baseUrl}/oidc/auth?${query}`)}" target="_blank" rel="noopener noreferrer">Test login</a> <span class="soft">as the first client; it ends at the first redirect URI, in a new tab.</span></p>`;
}

export function applicationView(of: Shown): View {
  const application = recordOf(of, 'getApplication');
  if (!application) return { html: troubleHtml(of, 'getApplication') };
  const preview = previewOf(application);
  return {
    styles: preview.styles ?? [],
    html: `<div class="two"><div>${offHtml(application)}${recordHtml(of, 'getApplication')}${actsHtml(of, 'getLoginPreferences')}
<h2>Clients</h2>${actsHtml(of, 'listClients')}${listHtml(of, 'listClients')}</div><aside>${preview.html}${testLoginHtml(of, application)}</aside></div>`,
  };
}
