import { phoneCountries } from '../../shared/domain/identifiers/phone-number.ts';
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
import { ALL_METHODS, type PageSamples, passkeyTarget, type SampleData } from './sample.ts';

const loginNotice = (text: string) => ({ customMessage: text, approvalData: { amount: text } });

const countries = { all: phoneCountries({ smsCountries: 'any' }), chosen: 'US' };

const closedCode = ({ userText, action, ...rest }: SampleData, retryAfterSeconds: number | undefined) =>
  closedCodePage({
    ...rest,
    retryAfterSeconds,
    resendAction: action,
    changeAction: action,
    link: { action, identifier: userText },
  });

const sent = ({ userText, ...form }: SampleData) => ({
  ...form,
  shownTo: userText,
  resendAction: form.action,
  resendAfterSeconds: 42,
});

/** Sample data for the pages of the hosted login, from the first page to the proof of an address. */
export const loginPages: PageSamples = {
  'identify-page': {
    identify: ({ userText, ...form }) => identifyPage({ ...form, identifier: userText }),
    'identify by passkey': ({ userText, ...form }) =>
      identifyPage({
        ...form,
        identifier: userText,
        notice: loginNotice(userText),
        passkey: { ...passkeyTarget(form), isFirst: true },
      }),
    'identify by providers alone': ({ userText: _, ...form }) =>
      identifyPage({ ...form, methods: ALL_METHODS.filter(isProvider) }),
    'sign up': ({ userText, ...form }) =>
      identifyPage({ ...form, identifier: userText, methods: ['email', 'link'], signsUp: true }),
    'identify by email alone': ({ userText, ...form }) =>
      identifyPage({ ...form, identifier: userText, methods: ['email'] }),
    'identify by number alone': ({ userText, ...form }) =>
      identifyPage({ ...form, identifier: userText, methods: ['sms'], countries }),
  },
  'code-page': {
    'code by email': (words) =>
      codePage({ ...sent(words), channel: 'email', digits: 6, changeAction: words.action }),
    'code by SMS as second factor': (words) =>
      codePage({ ...sent(words), channel: 'sms', digits: 8, resendAfterSeconds: 0, secondFactor: true }),
  },
  'closed-code-page': {
    'closed code': (words) => closedCode(words, 42),
    'codes off': (words) => closedCode(words, undefined),
  },
  'link-sent-page': {
    'link sent': (words) => linkSentPage({ ...sent(words), changeAction: words.action }),
  },
  'second-factor-page': {
    'second factor': ({ userText, methods, ...form }) =>
      secondFactorPage({
        ...form,
        lostAction: form.action,
        laterAction: form.action,
        methods: methods.map((method) => ({ method, maskedTo: userText })),
        passkey: passkeyTarget(form),
      }),
    'verify email': ({ userText, ...form }) =>
      secondFactorPage({
        ...form,
        methods: [{ method: 'link', maskedTo: userText }],
        isEmailVerification: true,
      }),
  },
  'recovery-page': {
    recovery: (given) => recoveryPage({ ...given, afterSeconds: 86_400 }),
    'recovery for an undo': (given) => recoveryPage({ ...given, afterSeconds: 86_400, undoes: true }),
    'possible elsewhere': ({ userText, ...form }) => recoveryElsewherePage({ ...form, place: userText }),
    'recovery begun': ({ language, brand }) => recoveryStartedPage({ language, brand, afterSeconds: 86_400 }),
    'recovery impossible': ({ language, brand }) =>
      recoveryStartedPage({ language, brand, afterSeconds: undefined }),
  },
  'consent-page': {
    'consent to a client by document': ({ userText, ...form }) =>
      consentPage({
        ...form,
        denyAction: form.action,
        host: 'agent.example.com',
        leadsTo: 'agent.example.com',
        person: 'a•••@e•••.com',
        scopes: [
          { name: 'openid' },
          { name: 'orders:read', sentence: { en: userText } },
          { name: 'orders:write', acr: 'mfa' },
        ],
        asksToStay: true,
      }),
    'command line of an operator': ({ userText: _, ...form }) => commandLinePage(form),
    'consent to an app on this device': ({ userText: _, ...form }) =>
      consentPage({
        ...form,
        denyAction: form.action,
        host: 'xn--bcher-kva.example',
        leadsTo: undefined,
        person: undefined,
        scopes: [],
        asksToStay: false,
      }),
  },
  'pending-recovery-page': {
    'something lost': ({ userText: _, ...form }) =>
      pendingRecoveryPage({
        ...form,
        cancelRecoveryAction: form.action,
        factorTypes: ['phone', 'passkey'],
        since: 1_790_000_000,
        effectiveAt: 1_790_086_400,
      }),
  },
  'phone-page': {
    'phone number': ({ userText, ...form }) => phonePage({ ...form, phoneNumber: userText, countries }),
    'country of a number': ({ userText, ...form }) =>
      phonePage({ ...form, identifies: true, phoneNumber: userText, countries }),
  },
  'register-passkey-page': {
    'new passkey': ({ userText, ...form }) =>
      registerPasskeyPage({
        ...form,
        ...passkeyTarget(form),
        laterAction: form.action,
        isOnly: false,
        notice: loginNotice(userText),
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
