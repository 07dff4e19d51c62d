import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import {
  type AccountPageInput,
  activity,
  addresses,
  consents,
  data,
  deletion,
  details,
  deviceKeys,
  identities,
  passkeys,
  sessions,
} from '../parts/account-parts.ts';
import type { Brand } from '../parts/brand.ts';
import { errorBox } from '../parts/form.ts';
import { renderPage } from '../parts/frame.ts';
import { passkeySignals } from '../parts/passkey-form.ts';
import { renderAddress } from '../parts/resend.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { accountDeletionTexts, accountEventTexts, accountTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

function section(heading: string, content: string, isHere: boolean): string {
  // Without JavaScript, the browser scrolls to the focused element: the section that the user returns to.
  const focus = isHere ? ' tabindex="-1" autofocus' : '';
  return `<section class="notice">
<h2${focus}>${heading}</h2>
${content}
</section>`;
}

/**
 * Returns the HTML that confirms the last action. Returns an empty string if the action has been undone in the meantime, for
 * example because a removed address was added again.
 */
function renderConfirmation({ language, addresses: shown }: AccountPageInput, what: Done): string {
  const { saved, confirmed, ended, isNow, emailRemoved, phoneRemoved } = accountTexts[language];
  const own = shown.find(({ kind }) => what.startsWith(kind));
  switch (what) {
    case 'email':
    case 'phone':
      return own ? fill(isNow, { address: renderAddress(own.shown) }) : '';
    case 'email_removed':
      return own ? '' : emailRemoved;
    case 'phone_removed':
      return own ? '' : phoneRemoved;
    default:
      return { saved, confirmed, ended, ...accountEventTexts[language] }[what];
  }
}

type Done = Exclude<NonNullable<AccountPageInput['outcome']>, 'refused' | 'expired' | 'last'>;

function said(input: AccountPageInput): string {
  const { language, brand, outcome: what } = input;
  const { expired, last, refused } = accountTexts[language];
  if (what === 'refused') return errorBox(escapeHtml(fill(refused, { app: oneLine(brand.name) })));
  if (what === 'expired' || what === 'last') return errorBox({ expired, last }[what]);
  const done = what === undefined ? '' : renderConfirmation(input, what);
  return done && `<p class="notice" role="status">${done}</p>\n`;
}

/** Renders the account page, on which users see and change the data and credentials of their account. */
export function accountPage(input: AccountPageInput): string {
  const { language, brand, tenantName, homeUri, deletionHref, focusedSection } = input;
  const texts = accountTexts[language];
  const parts: readonly (readonly [string, string, string] | undefined)[] = [
    ['details', texts.details, details(input)],
    input.addresses.length + input.changeableAddressTypes.length > 0
      ? ['addresses', texts.addresses, addresses(input)]
      : undefined,
    ['passkeys', texts.passkeys, passkeys(input)],
    input.deviceKeys.length > 0 ? ['device-keys', texts.deviceKeys, deviceKeys(input)] : undefined,
    input.identities.length + input.connectableProviders.length > 0
      ? ['identities', texts.identities, identities(input)]
      : undefined,
    input.consents.length > 0 ? ['consents', texts.consents, consents(input)] : undefined,
    ['sessions', texts.sessions, sessions(input)],
    ['activity', texts.activity, activity(input)],
    ['data', texts.data, data(input)],
    deletionHref === undefined
      ? undefined
      : ['deletion', accountDeletionTexts[language].section, deletion(language, deletionHref)],
  ];
  const sections = parts
    .filter((each) => each !== undefined)
    .map(([id, heading, content]) => section(heading, content, id === focusedSection));
  const home =
    homeUri === undefined
      ? ''
      : `<p><a class="plain" dir="auto" href="${escapeHtml(homeUri)}" rel="noreferrer">${escapeHtml(fill(texts.back, { app: oneLine(brand.name) }))}</a></p>\n`;
  return renderPage({
    language,
    brand,
    title: texts.heading,
    script: FORM_SCRIPT,
    content: `<h1>${texts.heading}</h1>
<p dir="auto">${escapeHtml(fill(texts.scope, { tenant: oneLine(tenantName) }))}</p>
${home}${passkeySignals(input.signals)}${said(input)}${sections.join('\n')}`,
  });
}

/**
 * Renders the page that is shown after the user has cancelled the login to the account page, or has been rejected. The page
 * does not start a new login by itself, so that the user can leave.
 */
export function accountClosedPage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly href: string;
}): string {
  const { language, brand, href } = input;
  const texts = accountTexts[language];
  return renderPage({
    language,
    brand,
    title: texts.heading,
    content: `<h1>${texts.heading}</h1>
<p>${texts.signInBody}</p>
<p class="soft" dir="auto">${escapeHtml(fill(texts.refused, { app: oneLine(brand.name) }))}</p>
<a class="button" href="${escapeHtml(href)}">${texts.signIn}</a>`,
  });
}
