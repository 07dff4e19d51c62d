import { phoneCountries } from '../../shared/domain/identifiers/phone-number.ts';
import { type AddressType, channels, isChannel } from '../../shared/records/channels.ts';
import { isProvider } from '../../shared/records/providers.ts';
import { closedCodePage } from '../../shared/templates/pages/closed-code-page.ts';
import { codePage } from '../../shared/templates/pages/code-page.ts';
import { commandLinePage, consentPage } from '../../shared/templates/pages/consent-page.ts';
import { identifyPage } from '../../shared/templates/pages/identify-page.ts';
import { linkSentPage } from '../../shared/templates/pages/link-sent-page.ts';
import { pendingRecoveryPage } from '../../shared/templates/pages/pending-recovery-page.ts';
import { phonePage } from '../../shared/templates/pages/phone-page.ts';
import {
  recoveryElsewherePage,
  recoveryPage,
  recoveryStartedPage,
} from '../../shared/templates/pages/recovery-page.ts';
import { registerPasskeyPage } from '../../shared/templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../shared/templates/pages/second-factor-page.ts';
import type { LoginMethod } from '../../shared/templates/parts/methods.ts';
import {
  ALL_METHODS,
  type PageSamples,
  passkeyTarget,
  type SampleData,
  sampleOf,
  withoutCancel,
} from './sample.ts';

const loginNotice = (words: SampleData) => ({
  customMessage: sampleOf(words, 'message'),
  approvalData: { Amount: sampleOf(words, 'amount') },
});

const countries = { all: phoneCountries({ smsCountries: 'any' }), chosen: 'US' };

const closedCode = (words: SampleData, retryAfterSeconds: number | undefined) =>
  closedCodePage({
    ...words,
    retryAfterSeconds,
    resendAction: words.action,
    changeAction: words.action,
    link: { action: words.action, identifier: sampleOf(words, 'email') },
  });

const sent = (words: SampleData, kind: 'email' | 'maskedPhone' = 'email') => ({
  ...words,
  shownTo: sampleOf(words, kind),
  resendAction: words.action,
  resendAfterSeconds: 42,
  sender: kind === 'email' ? 'no-reply@example.com' : undefined,
});

const maskedSamples = { email: 'maskedEmail', phone_number: 'maskedPhone' } as const satisfies Record<
  AddressType,
  string
>;

/** Data of a page whose only way out is the link to the previous page. */
const backOnly = (words: SampleData) => ({ ...withoutCancel(words), backHref: words.action });

const maskedTo = (words: SampleData, method: LoginMethod) =>
  sampleOf(words, maskedSamples[isChannel(method) ? channels[method].address : 'email']);

/** Sample data for the pages of the hosted login, from the first page to the verification of an address. */
export const loginPages: PageSamples = {
  'identify-page': {
    identify: (words) =>
      identifyPage({
        ...words,
        identifier: sampleOf(words, 'email'),
        passkey: { ...passkeyTarget(words), isFirst: false },
      }),
    'identify by passkey': (words) =>
      identifyPage({
        ...words,
        identifier: sampleOf(words, 'email'),
        notice: loginNotice(words),
        passkey: { ...passkeyTarget(words), isFirst: true },
      }),
    'identify by providers alone': (words) =>
      identifyPage({ ...words, methods: ALL_METHODS.filter(isProvider) }),
    'sign up': (words) =>
      identifyPage({
        ...words,
        identifier: sampleOf(words, 'email'),
        methods: ['email', 'link'],
        signsUp: true,
      }),
    'identify by email alone': (words) =>
      identifyPage({ ...words, identifier: sampleOf(words, 'email'), methods: ['email'] }),
    'identify by number alone': (words) =>
      identifyPage({ ...words, identifier: sampleOf(words, 'phone'), methods: ['sms'], countries }),
  },
  'code-page': {
    'code by email': (words) =>
      codePage({ ...sent(words), channel: 'email', digits: 6, changeAction: words.action }),
    'code by SMS as second factor': (words) =>
      codePage({
        ...sent(words, 'maskedPhone'),
        channel: 'sms',
        digits: 8,
        resendAfterSeconds: 0,
        secondFactor: true,
      }),
  },
  'closed-code-page': {
    'closed code': (words) => closedCode(words, 42),
    'codes off': (words) => closedCode(words, undefined),
  },
  'link-sent-page': {
    'link sent': (words) => linkSentPage({ ...sent(words), changeAction: words.action }),
  },
  'second-factor-page': {
    'second factor': (words) =>
      secondFactorPage({
        ...words,
        lostAction: words.action,
        laterAction: words.action,
        methods: words.methods.map((method) => ({ method, maskedTo: maskedTo(words, method) })),
        passkey: passkeyTarget(words),
      }),
    'verify email': (words) =>
      secondFactorPage({
        ...words,
        methods: [{ method: 'link', maskedTo: maskedTo(words, 'link') }],
        isEmailVerification: true,
      }),
  },
  'recovery-page': {
    recovery: (words) => recoveryPage({ ...backOnly(words), afterSeconds: 86_400 }),
    'recovery for an undo': (words) =>
      recoveryPage({ ...backOnly(words), afterSeconds: 86_400, undoes: true }),
    'possible elsewhere': (words) =>
      recoveryElsewherePage({ ...withoutCancel(words), place: sampleOf(words, 'application') }),
    'recovery begun': (words) => recoveryStartedPage({ ...backOnly(words), afterSeconds: 86_400 }),
    'recovery impossible': (words) => recoveryStartedPage({ ...backOnly(words), afterSeconds: undefined }),
  },
  'consent-page': {
    'consent to a client by document': (words) =>
      consentPage({
        ...words,
        denyAction: words.action,
        host: 'agent.example.com',
        leadsTo: 'agent.example.com',
        person: sampleOf(words, 'maskedEmail'),
        scopes: [
          { name: 'openid' },
          { name: 'orders:read', sentence: { en: sampleOf(words, 'scope') } },
          { name: 'orders:write', acr: 'mfa' },
        ],
        asksOfflineAccess: true,
      }),
    'command line of an operator': commandLinePage,
    'consent to an app on this device': (words) =>
      consentPage({
        ...words,
        denyAction: words.action,
        host: 'xn--bcher-kva.example',
        leadsTo: undefined,
        person: undefined,
        scopes: [],
        asksOfflineAccess: false,
      }),
  },
  'pending-recovery-page': {
    'something lost': (words) =>
      pendingRecoveryPage({
        ...words,
        cancelRecoveryAction: words.action,
        factorTypes: ['phone', 'passkey'],
        since: 1_790_000_000,
        effectiveAt: 1_790_086_400,
      }),
  },
  'phone-page': {
    'phone number': (words) => phonePage({ ...words, phoneNumber: sampleOf(words, 'phone'), countries }),
    'country of a number': (words) =>
      phonePage({
        ...words,
        backHref: words.action,
        identifies: true,
        phoneNumber: sampleOf(words, 'phone'),
        countries,
      }),
  },
  'register-passkey-page': {
    'new passkey': (words) =>
      registerPasskeyPage({
        ...withoutCancel(words),
        ...passkeyTarget(words),
        laterAction: words.action,
        isOnly: false,
        notice: loginNotice(words),
      }),
    'new passkey as second factor': (form) =>
      registerPasskeyPage({
        ...form,
        ...passkeyTarget(form),
        laterAction: form.action,
        isOnly: false,
        isFactor: 'first',
      }),
  },
};
