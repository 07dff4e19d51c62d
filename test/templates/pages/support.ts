import type { Language } from '../../../shared/templates/language.ts';
import { closedCodePage } from '../../../shared/templates/pages/closed-code-page.ts';
import { codePage } from '../../../shared/templates/pages/code-page.ts';
import { confirmLogoutPage } from '../../../shared/templates/pages/confirm-logout-page.ts';
import { continueFormPage } from '../../../shared/templates/pages/continue-form-page.ts';
import { deadEndPage } from '../../../shared/templates/pages/dead-end-page.ts';
import { formPostPage } from '../../../shared/templates/pages/form-post-page.ts';
import { identifyPage } from '../../../shared/templates/pages/identify-page.ts';
import { linkSentPage } from '../../../shared/templates/pages/link-sent-page.ts';
import { loggedOutPage } from '../../../shared/templates/pages/logged-out-page.ts';
import { noticeLinkDonePage, noticeLinkPage } from '../../../shared/templates/pages/notice-link-page.ts';
import { phonePage } from '../../../shared/templates/pages/phone-page.ts';
import { recoveryPage, recoveryStartedPage } from '../../../shared/templates/pages/recovery-page.ts';
import { registerPasskeyPage } from '../../../shared/templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../../shared/templates/pages/second-factor-page.ts';
import type { Brand } from '../../../shared/templates/parts/brand.ts';
import type { PageError } from '../../../shared/templates/parts/form.ts';
import {
  formPageHeaders,
  formPostPageHeaders,
  textPageHeaders,
} from '../../../shared/templates/parts/frame.ts';
import type { LoginMethod } from '../../../shared/templates/parts/methods.ts';
import { type DeadEndKey, deadEndTexts } from '../../../shared/templates/texts/dead-end-texts.ts';

export interface Words {
  readonly language: Language;
  readonly brand: Brand;
  readonly csrf: string;
  readonly action: string;
  /** The input of a user, or its masked form. */
  readonly typed: string;
  readonly parameter: string;
  readonly error?: PageError;
  readonly cancelAction?: string;
  readonly backHref?: string;
}

export const words: Words = {
  language: 'en',
  brand: { name: 'Northwind' },
  csrf: 'kV3q8h3kX0b1mT7d5sR9yP',
  action: '/oidc/auth/login?transaction=t1',
  cancelAction: '/oidc/auth/login?transaction=t1',
  typed: 'd•••@e•••.com',
  parameter: 'SplxlOBeZQQYbYS6WxSbIA',
};

export const REDIRECT_URI = 'https://app.example.com/complete';
export const allMethods: readonly LoginMethod[] = [
  'email',
  'sms',
  'link',
  'google',
  'apple',
  'facebook',
  'line',
];

export const passkeyTarget = ({ action, csrf }: Pick<Words, 'action' | 'csrf'>) => ({
  action,
  csrf,
  optionsAction: '/passkey/t1/options',
});

const noticeOf = (typed: string) => ({ customMessage: typed, approvalData: { amount: typed } });

type Kind = 'form' | 'text' | 'post';

const deadEnds = Object.keys(deadEndTexts.en.ends) as readonly DeadEndKey[];

/** Every page of a login, with the same texts. */
export const pages: readonly (readonly [string, Kind, (words: Words) => string])[] = [
  [
    'identify',
    'form',
    ({ typed, ...form }) => identifyPage({ ...form, identifier: typed, methods: allMethods }),
  ],
  [
    'identify by passkey',
    'form',
    ({ typed, ...form }) =>
      identifyPage({
        ...form,
        identifier: typed,
        methods: allMethods,
        passkey: { ...passkeyTarget(form), isFirst: true },
        notice: noticeOf(typed),
      }),
  ],
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
  ...[42, undefined].map(
    (retryAfterSeconds) =>
      [
        retryAfterSeconds ? 'closed code' : 'codes off',
        'form',
        ({ typed, action, ...rest }: Words) =>
          closedCodePage({
            ...{ ...rest, retryAfterSeconds, resendAction: action, changeAction: action },
            link: { action, identifier: typed },
          }),
      ] as const,
  ),
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
  [
    'second factor',
    'form',
    ({ typed, ...form }) =>
      secondFactorPage({
        ...form,
        methods: allMethods.map((method) => ({ method, maskedTo: typed })),
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
  ['recovery', 'form', (given) => recoveryPage({ ...given, afterSeconds: 86_400 })],
  ...[86_400, undefined].map(
    (afterSeconds) =>
      [
        afterSeconds ? 'recovery begun' : 'recovery impossible',
        'text',
        ({ language, brand }: Words) => recoveryStartedPage({ language, brand, afterSeconds }),
      ] as const,
  ),
  ['phone number', 'form', ({ typed, ...form }) => phonePage({ ...form, phoneNumber: typed })],
  ['continue', 'form', continueFormPage],
  [
    'continue as another',
    'form',
    ({ typed, ...form }) => continueFormPage({ ...form, replaces: { from: typed, to: typed } }),
  ],
  ['confirm logout', 'form', confirmLogoutPage],
  ['logged out', 'text', loggedOutPage],
  ...(['address', 'recovery'] as const).flatMap((undoes) => [
    [
      `link of a notice of ${undoes}`,
      'form',
      (given: Words) => noticeLinkPage({ ...given, undoes }),
    ] as const,
    ...(['done', 'taken', 'over'] as const).map(
      (outcome) =>
        [
          `link of a notice of ${undoes}, ${outcome}`,
          'text',
          ({ language, brand }: Words) => noticeLinkDonePage({ language, brand, undoes, outcome }),
        ] as const,
    ),
  ]),
  ...deadEnds.map(
    (key) =>
      [
        `dead end, ${key}`,
        'text',
        ({ language, brand, typed }: Words) =>
          deadEndPage({
            ...{ language, brand, key, requestId: typed, homeUri: 'https://app.example.com/' },
            ...(key === 'rate_limited' ? { retryAfterSeconds: 42 } : { detail: typed }),
          }),
      ] as const,
  ),
  [
    'form post',
    'post',
    ({ language, brand, parameter }) =>
      formPostPage({ language, brand, redirectUri: REDIRECT_URI, parameters: { code: parameter } }),
  ],
];

export function headersFor(kind: Kind, brand: Brand): Readonly<Record<string, string>> {
  if (kind === 'form') return formPageHeaders({ brand, leadsTo: [REDIRECT_URI] });
  if (kind === 'post') return formPostPageHeaders({ brand, redirectUri: REDIRECT_URI });
  return textPageHeaders(brand);
}

/** Elements and attribute names of a document, which texts must not change. */
export function shapeOf(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z!][\w-]*)([^>]*)>/gi)].map(
    ([, tag, attributes = '']) => `${tag} ${attributes.replace(/="[^"]*"/g, '').trim()}`,
  );
}

export function formsOf(html: string): string[] {
  return [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([form]) => form);
}

/** The attributes of each element of a kind, as in the source. */
export function elementsOf(html: string, tag: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, 'g'))].map(([, source = '']) =>
    Object.fromEntries(
      [...source.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name, value ?? '']),
    ),
  );
}
