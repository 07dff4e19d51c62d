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

const SAID: readonly AccountPageInput['said'][] = [
  undefined,
  'email',
  'passkey.added',
  'expired',
  'confirmed',
  'refused',
];
const EVENTS = Object.keys(accountEventTexts.en) as readonly NotifiedEvent[];

/** Input of the account page for a user who has at least one item of every kind: address, passkey, session and so on. */
function accountInput({ action, typed, ...words }: SampleData): AccountPageInput {
  const credentials = [{ item: typed, name: typed, addedAt: AT, usedAt: AT + WEEK }];
  const session = { item: typed, application: typed, startedAt: AT };
  return {
    ...words,
    tenantName: typed,
    homeUri: REDIRECT_URI,
    takesPasskeys: true,
    changes: ['email', 'phone'],
    firstName: typed,
    lastName: typed,
    ownLanguage: 'de-AT',
    actionOf: () => action,
    signOut: { action, csrf: words.csrf },
    signals: [],
    deletionHref: action,
    part: 'sessions',
    addresses: [
      { kind: 'email', shown: typed, isProven: true, isRemovable: false },
      { kind: 'phone', shown: typed, isProven: false, isRemovable: true },
    ],
    passkeys: [...credentials, { item: typed, name: undefined, addedAt: AT }],
    deviceKeys: credentials,
    identities: [{ item: typed, provider: 'Google' }],
    connects: ['line'],
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

/** Sample data for the account page and the pages that it leads to. */
export const accountPages: PageSamples = {
  'connect-page': {
    'connect an account': (form) => connectPage({ ...form, provider: 'google' }),
  },
  'new-email-page': {
    'new email address': ({ typed, ...form }) => newEmailPage({ ...form, typed }),
    'new email address, by link': ({ typed: _, ...form }) => newEmailPage({ ...form, byLink: true }),
  },
  'delete-account-page': {
    ...createSamples(
      [[BY_MAIL], [BY_TEXT], [BY_MAIL, BY_TEXT], []],
      (toldBy) =>
        `delete an account, ${toldBy.map(({ channel }) => channel).join(' and ') || 'nowhere to write to'}`,
      (toldBy) =>
        ({ typed, ...form }) =>
          deleteAccountPage({
            ...form,
            toldBy,
            tenantName: typed,
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
      (said) => (words) => accountPage({ ...accountInput(words), said }),
    ),
    'account of little': (words) =>
      accountPage({
        ...accountInput(words),
        homeUri: undefined,
        deletionHref: undefined,
        part: undefined,
        takesPasskeys: false,
        changes: [],
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
