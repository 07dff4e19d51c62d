// Sections of the account page.
import type { AddressItem } from '../../records/channels.ts';
import { LANGUAGES } from '../../records/languages.ts';
import type { ProviderName } from '../../records/providers.ts';
import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import {
  accountDeletionTexts,
  accountEventTexts,
  accountTexts,
  footerTexts,
  logoutTexts,
  type NotifiedEvent,
  ownName,
} from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import type { Brand } from './brand.ts';
import { type FormTarget, form } from './form.ts';
import type { PasskeySignal } from './passkey-form.ts';
import { chooseProviderLabel } from './provider-button.ts';
import { localTime } from './time.ts';

/** Content of the account page. Times are in epoch seconds. */
export interface AccountPageInput {
  readonly language: Language;
  readonly brand: Brand;
  readonly tenantName: string;
  readonly homeUri?: string | undefined;
  readonly csrf: string;
  /** Form that logs the user out in this browser. */
  readonly signOut: FormTarget;
  /** Returns the form action for a path below the account page. */
  readonly formAction: (path: string) => string;
  /**
   * Result of the last action, shown at the top of the page. With `email` and `phone`, the page shows the user's current
   * address; with an event type, the text of that event.
   */
  readonly outcome?:
    | 'saved'
    | 'email'
    | 'phone'
    | 'email_removed'
    | 'phone_removed'
    | 'ended'
    | 'confirmed'
    | 'expired'
    | 'last'
    | 'refused'
    | NotifiedEvent
    | undefined;
  /** ID of the section to which the user returns after a change or a login. This section gets the focus. */
  readonly focusedSection?: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
  /** Language tag in the user's record, for messages and pages. Empty if the user has not chosen a language. */
  readonly ownLanguage: string;
  readonly addresses: readonly {
    readonly kind: AddressItem;
    readonly shown: string;
    readonly isProven: boolean;
    /** True if the user could still log in without this address. */
    readonly isRemovable: boolean;
  }[];
  /** Types of addresses to which the application can send a code, so that the user can add or replace such an address. */
  readonly changeableAddressTypes: readonly AddressItem[];
  readonly passkeys: readonly ShownCredential[];
  readonly signals: readonly PasskeySignal[];
  /** True if the user can register a passkey for this application on these pages. */
  readonly canAddPasskey: boolean;
  readonly deviceKeys: readonly ShownCredential[];
  readonly identities: readonly { readonly item: string; readonly provider: string }[];
  /** Identity providers whose accounts the user can connect. */
  readonly connectableProviders: readonly ProviderName[];
  /** Clients with a metadata document to which the user has granted access. */
  readonly consents: readonly ShownCredential[];
  readonly sessions: readonly ShownSession[];
  /** URL of the page that deletes the account. Undefined if users may not delete their accounts themselves. */
  readonly deletionHref?: string | undefined;
  readonly events: readonly {
    readonly type: NotifiedEvent;
    readonly at: number;
    readonly device?: string | undefined;
  }[];
}

interface ShownCredential {
  readonly item: string;
  readonly name: string | undefined;
  readonly addedAt: number;
  readonly usedAt?: number | undefined;
}

interface ShownSession {
  readonly item: string;
  readonly application: string;
  readonly device: string | undefined;
  readonly startedAt: number;
  readonly isOwn: boolean;
}

const line = (text: string) => `<span dir="auto">${escapeHtml(oneLine(text))}</span>`;
const soft = (text: string) => `<br><span class="soft">${text}</span>`;

const list = (items: readonly string[]) =>
  `<ul role="list">\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;

const plainButton = (label: string) => `<button class="plain">${label}</button>`;
const secondButton = (label: string) => `<button class="button second">${label}</button>`;

/** Renders a form that acts on one item of a list, such as one passkey. */
const itemForm = ({ csrf, formAction }: AccountPageInput, path: string, item: string, content: string) =>
  form(
    { action: formAction(path), csrf },
    `<input type="hidden" name="item" value="${escapeHtml(item)}">${content}`,
  );

/** Renders a form with one button that acts on a whole section, such as ending all other sessions. */
const partForm = ({ csrf, formAction }: AccountPageInput, path: string, label: string) =>
  form({ action: formAction(path), csrf }, secondButton(label));

interface ShownField {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

const field = ({ id, name, label, value }: ShownField, attributes: string) =>
  `<label for="${id}">${label}</label>
<input id="${id}" name="${name}" maxlength="256" dir="auto" value="${escapeHtml(oneLine(value))}" ${attributes}>`;

/** Renders rarely used controls in a `<details>` element, which the user can open without JavaScript. */
const folded = (label: string, content: string) =>
  `<details><summary class="plain">${label}</summary>\n${content}\n</details>`;

function languageField({ language, ownLanguage }: AccountPageInput): string {
  const texts = accountTexts[language];
  const chosen = ownLanguage.split('-', 1)[0];
  const options = [['', texts.noLanguage], ...LANGUAGES.map((tag) => [tag, ownName[tag]])].map(
    ([tag = '', name = '']) => {
      const lang = tag === '' ? '' : ` lang="${tag}"`;
      return `<option value="${tag}"${lang}${tag === chosen ? ' selected' : ''}>${name}</option>`;
    },
  );
  return `<label for="language">${footerTexts[language].language}</label>
<select id="language" name="language">${options.join('')}</select>`;
}

const nameField = (name: string, autocomplete: string, label: string, value: string) =>
  field({ id: name, name, label, value }, `autocomplete="${autocomplete}"`);

function profileForm(input: AccountPageInput): string {
  const { language, csrf, formAction, firstName, lastName } = input;
  const texts = accountTexts[language];
  const fields = [
    nameField('first_name', 'given-name', texts.firstName, firstName),
    nameField('last_name', 'family-name', texts.lastName, lastName),
    languageField(input),
    secondButton(texts.save),
  ];
  return folded(texts.edit, form({ action: formAction('profile'), csrf }, fields.join('\n')));
}

const facts = (rows: readonly (readonly [term: string, value: string])[]) =>
  rows.length === 0
    ? ''
    : `<dl>\n${rows.map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`).join('\n')}\n</dl>\n`;

export function details(input: AccountPageInput): string {
  const { language, firstName, lastName } = input;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const shown = facts(name === '' ? [] : [[accountTexts[language].name, line(name)]]);
  return `${shown}${profileForm(input)}`;
}

export function addresses(input: AccountPageInput): string {
  const { language } = input;
  const texts = accountTexts[language];
  const shown = facts(
    input.addresses.map(({ kind, shown: address, isProven, isRemovable }) => [
      texts[kind],
      `<bdi>${escapeHtml(address)}</bdi>${isProven ? '' : soft(texts.unconfirmed)}${isRemovable ? itemForm(input, 'addresses/remove', kind, plainButton(texts.remove)) : ''}`,
    ]),
  );
  const labels = {
    email: { change: texts.changeEmail, add: texts.addEmail },
    phone: { change: texts.changePhone, add: texts.addPhone },
  };
  const has = (wanted: AddressItem) => input.addresses.some(({ kind }) => kind === wanted);
  const changes = input.changeableAddressTypes.map((kind) =>
    partForm(input, kind, labels[kind][has(kind) ? 'change' : 'add']),
  );
  return `${shown}${changes.join('\n')}`;
}

function credentials(
  { language }: AccountPageInput,
  shown: readonly ShownCredential[],
  actsOn: (credential: ShownCredential, index: number) => string,
): string {
  const texts = accountTexts[language];
  return list(
    shown.map((credential, index) => {
      const { name, addedAt, usedAt } = credential;
      const used =
        usedAt === undefined ? '' : soft(fill(texts.used, { date: localTime(language, usedAt, 'date') }));
      const about = `${line(name ?? texts.unnamed)}${soft(fill(texts.added, { date: localTime(language, addedAt, 'date') }))}${used}`;
      return `${about}\n${actsOn(credential, index)}`;
    }),
  );
}

export function passkeys(input: AccountPageInput): string {
  const texts = accountTexts[input.language];
  const actsOn = ({ item, name = '' }: ShownCredential, index: number) => {
    const shown = { id: `name-${index}`, name: 'name', label: texts.newName, value: name };
    const named = `${field(shown, 'autocomplete="off" required')}${plainButton(texts.save)}`;
    const rename = folded(texts.rename, itemForm(input, 'passkeys/name', item, named));
    return `<div class="acts">${rename}\n${itemForm(input, 'passkeys/remove', item, plainButton(texts.remove))}</div>`;
  };
  const shown =
    input.passkeys.length === 0
      ? `<p class="soft">${texts.noPasskeys}</p>`
      : credentials(input, input.passkeys, actsOn);
  return input.canAddPasskey ? `${shown}\n${partForm(input, 'passkeys/add', texts.addPasskey)}` : shown;
}

export function deviceKeys(input: AccountPageInput): string {
  const { remove } = accountTexts[input.language];
  return credentials(input, input.deviceKeys, ({ item }) =>
    itemForm(input, 'device-keys/remove', item, plainButton(remove)),
  );
}

export function consents(input: AccountPageInput): string {
  const { disconnect } = accountTexts[input.language];
  return credentials(input, input.consents, ({ item }) =>
    itemForm(input, 'consents/end', item, plainButton(disconnect)),
  );
}

export function identities(input: AccountPageInput): string {
  const { disconnect, connect } = accountTexts[input.language];
  const end = plainButton(disconnect);
  const shown = input.identities.map(
    ({ item, provider }) => `${line(provider)}\n${itemForm(input, 'identities/remove', item, end)}`,
  );
  const adds = input.connectableProviders.map((name) => {
    const button = secondButton(
      fill(connect, { provider: escapeHtml(chooseProviderLabel(name, input.brand)) }),
    );
    return itemForm(input, 'identities/add', name, button);
  });
  return [...(shown.length > 0 ? [list(shown)] : []), ...adds].join('\n');
}

export function sessions(input: AccountPageInput): string {
  const { language } = input;
  const texts = accountTexts[language];
  const { signOutButton } = logoutTexts[language];
  const items = input.sessions.map(({ item, application, device, startedAt, isOwn }) => {
    const about = device === undefined ? application : `${application} · ${device}`;
    const shown = `${line(about)}${soft(fill(texts.since, { date: localTime(language, startedAt, 'both') }))}`;
    if (isOwn)
      return `${shown}${soft(texts.thisBrowser)}\n${form(input.signOut, plainButton(signOutButton))}`;
    return `${shown}\n${itemForm(input, 'sessions/end', item, plainButton(texts.endSession))}`;
  });
  if (!input.sessions.some(({ isOwn }) => !isOwn)) return list(items);
  return `${list(items)}\n${partForm(input, 'sessions/end-others', texts.endOthers)}`;
}

export function data(input: AccountPageInput): string {
  const { dataBody, download } = accountTexts[input.language];
  return `<p class="soft">${dataBody}</p>\n${partForm(input, 'download', download)}`;
}

export function deletion(language: Language, href: string): string {
  const { sectionBody, open } = accountDeletionTexts[language];
  return `<p class="soft">${sectionBody}</p>\n<a class="button second danger" href="${escapeHtml(href)}">${open}</a>`;
}

export function activity({ language, events }: AccountPageInput): string {
  if (events.length === 0) return `<p class="soft">${accountTexts[language].noActivity}</p>`;
  return list(
    events.map(({ type, at, device }) => {
      const where = device === undefined ? '' : ` · ${escapeHtml(device)}`;
      return `${accountEventTexts[language][type]}${soft(`${localTime(language, at, 'both')}${where}`)}`;
    }),
  );
}
