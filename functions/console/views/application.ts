// Screen of an application: features that are off, the settings in groups, and a preview of its login page.

import { configuredProviders } from '../../../shared/domain/credentials/login-preferences.ts';
import { readPageBrand } from '../../../shared/flows/browser/browser-context.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import { CHANNELS } from '../../../shared/records/channels.ts';
import { PROVIDERS } from '../../../shared/records/providers.ts';
import { messageLanguage } from '../../../shared/templates/language.ts';
import { identifyPage } from '../../../shared/templates/pages/identify-page.ts';
import { renderTheme } from '../../../shared/templates/parts/brand.ts';
import type { LoginMethod } from '../../../shared/templates/parts/methods.ts';
import { shownMethods } from '../../../shared/templates/parts/methods.ts';
import { removeScripts } from '../../../shared/templates/parts/passkey-form.ts';
import { isJson, type Json } from '../engine/document.ts';
import {
  destructiveHtml,
  listHtml,
  readRecord,
  readRecords,
  recordHtml,
  renderActions,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { toAttributeText } from '../engine/values.ts';
import { applicationWords } from '../words/application.ts';
import type { FieldWords } from '../words/words.ts';

/** Effects on users when a login method is off, by the name of the method's setting. */
const METHODS: Readonly<Record<string, string>> = {
  link: 'no magic links by mail',
  email: 'no codes by mail',
  sms: 'no codes by text message',
  passkey: 'no passkeys',
};

const isNone = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

/** Lists the features that are off: the effect on users, and the label of the setting that switches the feature on. */
function offIn(application: Json): readonly (readonly [effect: string, setting: string])[] {
  const { public_signup, hosted_sign_up, redirect_uris, post_logout_redirect_uris, origins, offer_passkeys } =
    application;
  const methods = isJson(application.login_preferences) ? application.login_preferences : {};
  const words = applicationWords;
  const all: readonly (readonly [boolean, string, FieldWords | undefined])[] = [
    [public_signup !== true, 'new people cannot sign up', words.public_signup],
    [
      public_signup === true && hosted_sign_up !== true,
      'the hosted pages create no accounts',
      words.hosted_sign_up,
    ],
    [isNone(redirect_uris), 'logins in a browser cannot complete', words.redirect_uris],
    [
      isNone(post_logout_redirect_uris),
      'no page to return to after a logout',
      words.post_logout_redirect_uris,
    ],
    [isNone(origins), 'your own pages cannot use passkeys', words.origins],
    [offer_passkeys === false, 'logins do not offer to create a passkey', words.offer_passkeys],
    ...Object.entries(METHODS).map(
      ([name, effect]) => [!isJson(methods[name]), effect, words.login_preferences.inner?.[name]] as const,
    ),
  ];
  return all.flatMap(([off, effect, setting]) => (off && setting ? [[effect, setting.label] as const] : []));
}

function offHtml(application: Json): string {
  const off = offIn(application);
  if (off.length === 0) return '';
  return `<section class="card"><h2>What is off</h2><ul>${off.map(([effect, setting]) => `<li>${toAttributeText(effect)} <span class="soft">(setting: ${toAttributeText(setting)})</span></li>`).join('')}</ul></section>`;
}

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts the API's record to the application that the templates use: its branding and the hosts that links may lead to. */
function toApplication({
  name,
  brand,
  openid_providers,
  redirect_uris,
  home_uri,
  link_hosts,
}: Json): Application {
  const look = isJson(brand)
    ? Object.fromEntries(Object.entries(brand).map(([key, value]) => [camel(key), value]))
    : undefined;
  return {
    ...{ name: String(name ?? ''), brand: look, redirectUris: redirect_uris ?? [], linkHosts: link_hosts },
    openidProviders: openid_providers ?? [],
    ...(home_uri ? { homeUri: home_uri } : {}),
  } as unknown as Application;
}

const SHOWN: readonly LoginMethod[] = [...CHANNELS, ...PROVIDERS];

/** Returns an application's record with the changes of a form, as the API would store it. */
export function applyForm(record: Json, { login_preferences, ...body }: Json): Json {
  const stored = isJson(record.login_preferences) ? record.login_preferences : {};
  const given = isJson(login_preferences) ? login_preferences : {};
  const changed = { ...record, ...body, login_preferences: { ...stored, ...given } };
  return JSON.parse(JSON.stringify(changed, (_, value) => (value === null ? undefined : value))) as Json;
}

/**
 * Renders the first page of a login with the real template, in a sandboxed frame that runs no scripts and submits no forms. The
 * frame has the origin of the console, so that the console's script can change its styles.
 */
export function renderPreview(record: Json): View {
  const methods = isJson(record.login_preferences) ? record.login_preferences : { email: {} };
  try {
    const application = toApplication(record);
    const brand = readPageBrand(application);
    const shown = [
      ...shownMethods(SHOWN.filter((name) => isJson(methods[name]))),
      ...configuredProviders(application),
    ];
    const target = { action: '/', csrf: '' };
    const page = identifyPage({
      ...{ ...target, brand, methods: shown },
      language: messageLanguage(String(record.language ?? ''), undefined),
      passkey: isJson(methods.passkey)
        ? { ...target, optionsAction: '/', isFirst: shown.length === 0 }
        : undefined,
    });
    const attribute = removeScripts(page).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return {
      html: `<h2>The first page of a login</h2><iframe sandbox="allow-same-origin" data-preview title="The first page of a login" srcdoc="${attribute}"></iframe>`,
      styles: [renderTheme(brand)].filter(Boolean),
    };
  } catch {
    return {
      html: '<p class="card bad">This branding is invalid. Submit its form to see which setting is wrong.</p>',
    };
  }
}

/** Renders a link that starts a real login of the first client, which ends at the first redirect URI. */
function testLoginHtml(of: ScreenData, application: Json): string {
  const client = readRecords(of, 'listClients')[0]?.client_id;
  const [redirectUri] = Array.isArray(application.redirect_uris)
    ? (application.redirect_uris as readonly string[])
    : [];
  if (typeof client !== 'string' || redirectUri === undefined)
    return '<p class="soft">A test login requires a client and an address to return to.</p>';
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    prompt: 'login',
    state: 'test-login',
  });
  return `<p><a class="act" href="${toAttributeText(`${of.baseUrl}/oidc/auth?${query}`)}" target="_blank" rel="noopener noreferrer">Test login</a></p><p class="soft">Opens a new tab, logs in with the first client, and ends at the first address to return to.</p>`;
}

export function applicationView(of: ScreenData): View {
  const application = readRecord(of, 'getApplication');
  if (!application) return { html: renderError(of, 'getApplication') };
  const preview = renderPreview(application);
  return {
    styles: preview.styles ?? [],
    html: `<div class="two"><div>${offHtml(application)}${recordHtml(of, 'getApplication')}
<h2>Clients</h2>${renderActions(of, 'listClients')}${listHtml(of, 'listClients')}${destructiveHtml(of, 'getApplication')}</div><aside>${preview.html}${testLoginHtml(of, application)}</aside></div>`,
  };
}
