import { accountClosedPage, accountPage } from '../../shared/templates/pages/account-page.ts';
import { connectPage } from '../../shared/templates/pages/connect-page.ts';
import {
  accountDeletedPage,
  deleteAccountPage,
  type NoticeRecipient,
} from '../../shared/templates/pages/delete-account-page.ts';
import { newEmailPage } from '../../shared/templates/pages/new-email-page.ts';
import type { AccountPageInput } from '../../shared/templates/parts/account-parts.ts';
import { accountEventTexts, type NotifiedEvent } from '../../shared/templates/texts/all.ts';
import { createSamples, type PageSamples, REDIRECT_URI, type SampleData } from './sample.ts';

const AT = 1_800_000_000;
const WEEK = 604_800;

const SAID: readonly AccountPageInput['outcome'][] = [
  undefined,
  'email',
  'passkey.added',
  'expired',
  'confirmed',
  'refused',
];
const EVENTS = Object.keys(accountEventTexts.en) as readonly NotifiedEvent[];

/** Returns the input of the account page for a user who has one or more items of every kind, such as a passkey. */
function accountInput({ action, userText, ...words }: SampleData): AccountPageInput {
  const credentials = [{ item: userText, name: userText, addedAt: AT, usedAt: AT + WEEK }];
  const session = { item: userText, application: userText, startedAt: AT };
  return {
    ...words,
    tenantName: userText,
    homeUri: REDIRECT_URI,
    canAddPasskey: true,
    changeableAddressTypes: ['email', 'phone'],
    firstName: userText,
    lastName: userText,
    ownLanguage: 'de-AT',
    formAction: () => action,
    signOut: { action, csrf: words.csrf },
    signals: [],
    deletionHref: action,
    focusedSection: 'sessions',
    addresses: [
      { kind: 'email', shown: userText, isProven: true, isRemovable: false },
      { kind: 'phone', shown: userText, isProven: false, isRemovable: true },
    ],
    passkeys: [...credentials, { item: userText, name: undefined, addedAt: AT }],
    deviceKeys: credentials,
    identities: [{ item: userText, provider: 'Google' }],
    connectableProviders: ['line'],
    consents: credentials,
    sessions: [
      { ...session, device: 'Firefox on Linux', isOwn: true },
      { ...session, device: undefined, isOwn: false },
    ],
    events: EVENTS.map((type) => ({ type, at: AT, device: 'Firefox on Linux' })),
  };
}

const BY_MAIL: NoticeRecipient = { channel: 'email', to: 'a•••@example.com' };
const BY_TEXT: NoticeRecipient = { channel: 'sms', to: '+1•••0123' };

/** Sample data for the account page and the pages that can be reached from it. */
export const accountPages: PageSamples = {
  'connect-page': {
    'connect an account': (form) => connectPage({ ...form, provider: 'google' }),
  },
  'new-email-page': {
    'new email address': ({ userText, ...form }) => newEmailPage({ ...form, typed: userText }),
    'new email address, by link': ({ userText: _, ...form }) => newEmailPage({ ...form, byLink: true }),
  },
  'delete-account-page': {
    ...createSamples(
      [[BY_MAIL], [BY_TEXT], [BY_MAIL, BY_TEXT], []],
      (toldBy) =>
        `delete an account, ${toldBy.map(({ channel }) => channel).join(' and ') || 'nowhere to write to'}`,
      (toldBy) =>
        ({ userText, ...form }) =>
          deleteAccountPage({
            ...form,
            toldBy,
            tenantName: userText,
            effectiveAt: AT,
            accountHref: form.action,
            isExpired: toldBy.length === 0,
          }),
    ),
    'an account is deleted': ({ language, brand }) =>
      accountDeletedPage({
        language,
        brand,
        effectiveAt: AT,
        toldBy: [BY_MAIL],
        homeUri: REDIRECT_URI,
      }),
  },
  'account-page': {
    ...createSamples(
      SAID,
      (said) => (said === undefined ? 'account' : `account, ${said}`),
      (said) => (words) => accountPage({ ...accountInput(words), outcome: said }),
    ),
    'account of little': (words) =>
      accountPage({
        ...accountInput(words),
        homeUri: undefined,
        deletionHref: undefined,
        focusedSection: undefined,
        canAddPasskey: false,
        changeableAddressTypes: [],
        firstName: '',
        lastName: '',
        ownLanguage: '',
        addresses: [],
        passkeys: [],
        deviceKeys: [],
        identities: [],
        events: [],
      }),
    'account after a login that was cancelled': ({ language, brand, action }) =>
      accountClosedPage({ language, brand, href: action }),
  },
};
