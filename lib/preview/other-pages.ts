import { confirmLogoutPage } from '../../shared/templates/pages/confirm-logout-page.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { type DeadEnd, type DeadEndKey, deadEndPage } from '../../shared/templates/pages/dead-end-page.ts';
import { formPostPage } from '../../shared/templates/pages/form-post-page.ts';
import { loggedOutPage } from '../../shared/templates/pages/logged-out-page.ts';
import { noticeLinkDonePage, noticeLinkPage } from '../../shared/templates/pages/notice-link-page.ts';
import * as deadEnds from '../../shared/templates/texts/dead-ends.ts';
import { forms, type PageSample, type PageSamples, REDIRECT_URI, type SampleWords, texts } from './sample.ts';

/** What links open, how logins and logouts end, and errors. */
export const otherPages: PageSamples = {
  'continue-page': texts({
    'continue by link': ({ language, brand }) => continuePage({ language, brand, href: REDIRECT_URI }),
  }),
  'continue-form-page': forms({
    continue: continueFormPage,
    'continue as another': ({ typed, ...form }) =>
      continueFormPage({ ...form, replaces: { from: typed, to: typed } }),
  }),
  'confirm-logout-page': forms({ 'confirm logout': confirmLogoutPage }),
  'logged-out-page': texts({ 'logged out': loggedOutPage }),
  'notice-link-page': [
    ...(['address', 'change', 'recovery', 'erasure', 'reclaimed'] as const).map(
      (undoes): PageSample => [
        `link of a notice of ${undoes}`,
        'form',
        (given: SampleWords) => noticeLinkPage({ ...given, undoes }),
      ],
    ),
    ...(['address', 'change', 'recovery', 'erasure'] as const).map(
      (undoes): PageSample => [
        `link of a notice of ${undoes}, done`,
        'text',
        ({ language, brand }) => noticeLinkDonePage({ language, brand, undoes, outcome: 'done' }),
      ],
    ),
    ...(['taken', 'over'] as const).map(
      (outcome): PageSample => [
        `link of a notice, ${outcome}`,
        'text',
        ({ language, brand }) => noticeLinkDonePage({ language, brand, outcome }),
      ],
    ),
  ],
  'dead-end-page': (Object.entries(deadEnds) as [DeadEndKey, DeadEnd][]).map(
    ([reason, end]): PageSample => [
      `dead end, ${reason}`,
      'text',
      ({ language, brand, typed }) =>
        deadEndPage({
          language,
          brand,
          reason,
          end,
          requestId: typed,
          homeUri: 'https://app.example.com/',
          ...(reason === 'rateLimited' ? { retryAfterSeconds: 42 } : { detail: typed }),
        }),
    ],
  ),
  'form-post-page': [
    [
      'form post',
      'post',
      ({ language, brand, parameter }) =>
        formPostPage({ language, brand, redirectUri: REDIRECT_URI, parameters: { code: parameter } }),
    ],
  ],
};
