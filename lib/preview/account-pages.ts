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
import {
  brandWithHome,
  createSamples,
  type PageSamples,
  REDIRECT_URI,
  type SampleData,
  sampleOf,
} from './sample.ts';

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
function accountInput(words: SampleData): AccountPageInput {
  const { action } = words;
  const say = (kind: Parameters<typeof sampleOf>[1]) => sampleOf(words, kind);
  const dates = { item: say('item'), addedAt: AT, usedAt: AT + WEEK };
  const session = { item: say('item'), startedAt: AT };
  return {
    ...words,
    tenantName: say('tenant'),
    homeUri: REDIRECT_URI,
    canAddPasskey: true,
    changeableAddressTypes: ['email', 'phone'],
    firstName: say('firstName'),
    lastName: say('lastName'),
    ownLanguage: 'de-AT',
    formAction: () => action,
    signOut: { action, csrf: words.csrf },
    signals: [],
    deletionHref: action,
    focusedSection: 'sessions',
    addresses: [
      { kind: 'email', shown: say('maskedEmail'), isProven: true, isRemovable: false },
      { kind: 'phone', shown: say('maskedPhone'), isProven: false, isRemovable: true },
    ],
    passkeys: [
      { ...dates, name: say('passkey') },
      { item: say('item'), name: undefined, addedAt: AT },
    ],
    deviceKeys: [{ ...dates, name: say('device') }],
    identities: [{ item: say('item'), provider: 'Google' }],
    connectableProviders: ['line'],
    consents: [{ ...dates, name: say('client') }],
    sessions: [
      { ...session, application: words.brand.name, device: 'Firefox on Linux', isOwn: true },
      { ...session, application: say('application'), device: undefined, isOwn: false },
    ],
    events: EVENTS.map((type, index) => ({ type, at: AT - index * 3600, device: 'Firefox on Linux' })),
  };
}

const BY_MAIL: NoticeRecipient = { channel: 'email', to: 'd•••@e•••.com' };
const BY_TEXT: NoticeRecipient = { channel: 'sms', to: '••• ••• ••23' };

/** Sample data for the account page and the pages that can be reached from it. */
export const accountPages: PageSamples = {
  'connect-page': {
    'connect an account': (form) => connectPage({ ...form, provider: 'google' }),
  },
  'new-email-page': {
    'new email address': (words) => newEmailPage({ ...words, typed: sampleOf(words, 'newEmail') }),
    'new email address, by link': (words) =>
      newEmailPage({ ...words, typed: sampleOf(words, 'newEmail'), byLink: true }),
  },
  'delete-account-page': {
    ...createSamples(
      [[BY_MAIL], [BY_TEXT], [BY_MAIL, BY_TEXT], []],
      (noticeRecipients) =>
        `delete an account, ${noticeRecipients.map(({ channel }) => channel).join(' and ') || 'nowhere to write to'}`,
      (noticeRecipients) => (words) =>
        deleteAccountPage({
          ...words,
          noticeRecipients,
          tenantName: sampleOf(words, 'tenant'),
          effectiveAt: AT,
          accountHref: words.action,
          isExpired: noticeRecipients.length === 0,
        }),
    ),
    'an account is deleted': (words) =>
      accountDeletedPage({
        language: words.language,
        brand: brandWithHome(words),
        effectiveAt: AT,
        noticeRecipients: [BY_MAIL],
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
