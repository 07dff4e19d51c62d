import { phoneCountries } from '../../shared/domain/identifiers/phone-number.ts';
import { isProvider } from '../../shared/records/providers.ts';
import { closedCodePage } from '../../shared/templates/pages/closed-code-page.ts';
import { codePage } from '../../shared/templates/pages/code-page.ts';
import { commandLinePage, consentPage } from '../../shared/templates/pages/consent-page.ts';
import { identifyPage } from '../../shared/templates/pages/identify-page.ts';
import { linkSentPage } from '../../shared/templates/pages/link-sent-page.ts';
import { pendingRecoveryPage } from '../../shared/templates/pages/loss-page.ts';
import { phonePage } from '../../shared/templates/pages/phone-page.ts';
import {
  recoveryElsewherePage,
  recoveryPage,
  recoveryStartedPage,
} from '../../shared/templates/pages/recovery-page.ts';
import { registerPasskeyPage } from '../../shared/templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../shared/templates/pages/second-factor-page.ts';
import { ALL_METHODS, type PageSamples, passkeyTarget, type SampleData } from './sample.ts';

const loginNotice = (typed: string) => ({ customMessage: typed, approvalData: { amount: typed } });

const countries = { all: phoneCountries({ smsCountries: 'any' }), chosen: 'US' };

const closedCode = ({ typed, action, ...rest }: SampleData, retryAfterSeconds: number | undefined) =>
  closedCodePage({
    ...rest,
    retryAfterSeconds,
    resendAction: action,
    changeAction: action,
    link: { action, identifier: typed },
  });

const sent = ({ typed, ...form }: SampleData) => ({
  ...form,
  shownTo: typed,
  resendAction: form.action,
  resendAfterSeconds: 42,
});

/** Sample data for the pages of the hosted login, from entering an address to proving it. */
export const loginPages: PageSamples = {
  'identify-page': {
    identify: ({ typed, ...form }) => identifyPage({ ...form, identifier: typed }),
    'identify by passkey': ({ typed, ...form }) =>
      identifyPage({
        ...form,
        identifier: typed,
        notice: loginNotice(typed),
        passkey: { ...passkeyTarget(form), isFirst: true },
      }),
    'identify by providers alone': ({ typed: _, ...form }) =>
      identifyPage({ ...form, methods: ALL_METHODS.filter(isProvider) }),
    'sign up': ({ typed, ...form }) =>
      identifyPage({ ...form, identifier: typed, methods: ['email', 'link'], signsUp: true }),
    'identify by email alone': ({ typed, ...form }) =>
      identifyPage({ ...form, identifier: typed, methods: ['email'] }),
    'identify by number alone': ({ typed, ...form }) =>
      identifyPage({ ...form, identifier: typed, methods: ['sms'], countries }),
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
    'second factor': ({ typed, methods, ...form }) =>
      secondFactorPage({
        ...form,
        lostAction: form.action,
        laterAction: form.action,
        methods: methods.map((method) => ({ method, maskedTo: typed })),
        passkey: passkeyTarget(form),
      }),
    'verify email': ({ typed, ...form }) =>
      secondFactorPage({ ...form, methods: [{ method: 'link', maskedTo: typed }], verifies: true }),
  },
  'recovery-page': {
    recovery: (given) => recoveryPage({ ...given, afterSeconds: 86_400 }),
    'recovery for an undo': (given) => recoveryPage({ ...given, afterSeconds: 86_400, undoes: true }),
    'possible elsewhere': ({ typed, ...form }) => recoveryElsewherePage({ ...form, place: typed }),
    'recovery begun': ({ language, brand }) => recoveryStartedPage({ language, brand, afterSeconds: 86_400 }),
    'recovery impossible': ({ language, brand }) =>
      recoveryStartedPage({ language, brand, afterSeconds: undefined }),
  },
  'consent-page': {
    'consent to a client by document': ({ typed, ...form }) =>
      consentPage({
        ...form,
        denyAction: form.action,
        host: 'agent.example.com',
        leadsTo: 'agent.example.com',
        person: 'a•••@e•••.com',
        scopes: [
          { name: 'openid' },
          { name: 'orders:read', sentence: { en: typed } },
          { name: 'orders:write', acr: 'mfa' },
        ],
        asksToStay: true,
      }),
    'command line of an operator': ({ typed: _, ...form }) => commandLinePage(form),
    'consent to an app on this device': ({ typed: _, ...form }) =>
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
  'loss-page': {
    'something lost': ({ typed: _, ...form }) =>
      pendingRecoveryPage({
        ...form,
        stopAction: form.action,
        kinds: ['phone', 'passkey'],
        since: 1_790_000_000,
        effectiveAt: 1_790_086_400,
      }),
  },
  'phone-page': {
    'phone number': ({ typed, ...form }) => phonePage({ ...form, phoneNumber: typed, countries }),
    'country of a number': ({ typed, ...form }) =>
      phonePage({ ...form, identifies: true, phoneNumber: typed, countries }),
  },
  'register-passkey-page': {
    'new passkey': ({ typed, ...form }) =>
      registerPasskeyPage({
        ...form,
        ...passkeyTarget(form),
        laterAction: form.action,
        isAll: false,
        notice: loginNotice(typed),
      }),
    'new passkey as second factor': (form) =>
      registerPasskeyPage({
        ...form,
        ...passkeyTarget(form),
        laterAction: form.action,
        isAll: false,
        isFactor: 'first',
      }),
  },
};
