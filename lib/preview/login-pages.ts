import { phoneCountries } from '../../shared/domain/identifiers/phone-number.ts';
import { closedCodePage } from '../../shared/templates/pages/closed-code-page.ts';
import { codePage } from '../../shared/templates/pages/code-page.ts';
import { identifyPage } from '../../shared/templates/pages/identify-page.ts';
import { linkSentPage } from '../../shared/templates/pages/link-sent-page.ts';
import { lossPage } from '../../shared/templates/pages/loss-page.ts';
import { phonePage } from '../../shared/templates/pages/phone-page.ts';
import {
  elsewherePage,
  recoveryPage,
  recoveryStartedPage,
} from '../../shared/templates/pages/recovery-page.ts';
import { registerPasskeyPage } from '../../shared/templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../shared/templates/pages/second-factor-page.ts';
import { isProviderMethod } from '../../shared/templates/parts/methods.ts';
import { ALL_METHODS, type PageSample, type PageSamples, passkeyTarget, type SampleWords } from './sample.ts';

const noticeOf = (typed: string) => ({ customMessage: typed, approvalData: { amount: typed } });

const countries = { all: phoneCountries({ smsCountries: 'any' }), chosen: 'US' };

const closedCode = ({ typed, action, ...rest }: SampleWords, retryAfterSeconds: number | undefined) =>
  closedCodePage({
    ...rest,
    retryAfterSeconds,
    resendAction: action,
    changeAction: action,
    link: { action, identifier: typed },
  });

/** The pages between the first question and the proof. */
export const loginPages: PageSamples = {
  'identify-page': [
    ['identify', 'form', ({ typed, ...form }) => identifyPage({ ...form, identifier: typed })],
    [
      'identify by passkey',
      'form',
      ({ typed, ...form }) =>
        identifyPage({
          ...form,
          identifier: typed,
          passkey: { ...passkeyTarget(form), isFirst: true },
          notice: noticeOf(typed),
        }),
    ],
    [
      'identify by providers alone',
      'form',
      ({ typed: _, ...form }) => identifyPage({ ...form, methods: ALL_METHODS.filter(isProviderMethod) }),
    ],
    [
      'sign up',
      'form',
      ({ typed, ...form }) =>
        identifyPage({ ...form, identifier: typed, methods: ['email', 'link'], signsUp: true }),
    ],
    [
      'identify by email alone',
      'form',
      ({ typed, ...form }) => identifyPage({ ...form, identifier: typed, methods: ['email'] }),
    ],
    [
      'identify by number alone',
      'form',
      ({ typed, ...form }) => identifyPage({ ...form, identifier: typed, methods: ['sms'], countries }),
    ],
  ],
  'code-page': [
    [
      'code by email',
      'form',
      ({ typed, ...form }) =>
        codePage({
          ...form,
          channel: 'email',
          shownTo: typed,
          digits: 6,
          resendAction: form.action,
          resendAfterSeconds: 42,
          changeAction: form.action,
        }),
    ],
    [
      'code by SMS as second factor',
      'form',
      ({ typed, ...form }) =>
        codePage({
          ...form,
          channel: 'sms',
          shownTo: typed,
          digits: 8,
          resendAction: form.action,
          resendAfterSeconds: 0,
          secondFactor: true,
        }),
    ],
  ],
  'closed-code-page': [
    ['closed code', 'form', (words) => closedCode(words, 42)],
    ['codes off', 'form', (words) => closedCode(words, undefined)],
  ],
  'link-sent-page': [
    [
      'link sent',
      'form',
      ({ typed, action, ...rest }) =>
        linkSentPage({
          ...rest,
          shownTo: typed,
          resendAction: action,
          resendAfterSeconds: 42,
          changeAction: action,
        }),
    ],
  ],
  'second-factor-page': [
    [
      'second factor',
      'form',
      ({ typed, methods, ...form }) =>
        secondFactorPage({
          ...form,
          methods: methods.map((method) => ({ method, maskedTo: typed })),
          lostAction: form.action,
          laterAction: form.action,
          passkey: passkeyTarget(form),
        }),
    ],
    [
      'verify email',
      'form',
      ({ typed, ...form }) =>
        secondFactorPage({ ...form, methods: [{ method: 'link', maskedTo: typed }], verifies: true }),
    ],
  ],
  'recovery-page': [
    ['recovery', 'form', (given) => recoveryPage({ ...given, afterSeconds: 86_400 })],
    [
      'recovery for an undo',
      'form',
      (given) => recoveryPage({ ...given, afterSeconds: 86_400, undoes: true }),
    ],
    ['possible elsewhere', 'form', ({ typed, ...form }) => elsewherePage({ ...form, place: typed })],
    [
      'recovery begun',
      'text',
      ({ language, brand }) => recoveryStartedPage({ language, brand, afterSeconds: 86_400 }),
    ],
    [
      'recovery impossible',
      'text',
      ({ language, brand }) => recoveryStartedPage({ language, brand, afterSeconds: undefined }),
    ],
  ],
  'loss-page': [
    [
      'something lost',
      'form',
      ({ typed: _, ...form }) =>
        lossPage({
          ...form,
          stopAction: form.action,
          kinds: ['phone', 'passkey'],
          since: 1_790_000_000,
          effectiveAt: 1_790_086_400,
        }),
    ],
  ],
  'phone-page': [
    ...[false, true].map(
      (identifies): PageSample => [
        identifies ? 'country of a number' : 'phone number',
        'form',
        ({ typed, ...form }) => phonePage({ ...form, identifies, phoneNumber: typed, countries }),
      ],
    ),
  ],
  'register-passkey-page': [
    [
      'new passkey',
      'form',
      ({ typed, ...form }) =>
        registerPasskeyPage({
          ...form,
          ...passkeyTarget(form),
          laterAction: form.action,
          isAll: false,
          notice: noticeOf(typed),
        }),
    ],
  ],
};
