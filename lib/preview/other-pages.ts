import { APPLICATION_MISTAKES } from '../../shared/flows/browser/error-page.ts';
import { confirmLogoutPage } from '../../shared/templates/pages/confirm-logout-page.ts';
import { continueFormPage } from '../../shared/templates/pages/continue-form-page.ts';
import { continuePage, leavingPage } from '../../shared/templates/pages/continue-page.ts';
import { type DeadEnd, type DeadEndKey, deadEndPage } from '../../shared/templates/pages/dead-end-page.ts';
import { formPostPage } from '../../shared/templates/pages/form-post-page.ts';
import { loggedOutPage } from '../../shared/templates/pages/logged-out-page.ts';
import { noticeLinkDonePage, noticeLinkPage } from '../../shared/templates/pages/notice-link-page.ts';
import * as deadEnds from '../../shared/templates/texts/dead-ends.ts';
import {
  brandWithHome,
  createSamples,
  type PageSamples,
  REDIRECT_URI,
  sampleOf,
  withoutCancel,
} from './sample.ts';

const UNDONE = ['address', 'change', 'recovery', 'erasure'] as const;

/** Sample data for the pages that links in messages open, the pages at the end of a login or logout, and the error pages. */
export const otherPages: PageSamples = {
  'continue-page': {
    'continue by link': ({ language, brand }) => continuePage({ language, brand, href: REDIRECT_URI }),
    'back to the application': ({ language, brand }) => leavingPage({ language, brand, href: REDIRECT_URI }),
    'on to a provider': ({ language, brand }) =>
      leavingPage({ language, brand, href: 'https://accounts.example.com/authorize', provider: 'google' }),
  },
  'continue-form-page': {
    continue: continueFormPage,
    'continue after a reload': (words) => continueFormPage({ ...words, resumes: true }),
    'continue as another': (words) =>
      continueFormPage({
        ...withoutCancel(words),
        replaces: { from: sampleOf(words, 'maskedEmail'), to: sampleOf(words, 'maskedPhone') },
      }),
  },
  'confirm-logout-page': { 'confirm logout': (words) => confirmLogoutPage(withoutCancel(words)) },
  'logged-out-page': {
    'logged out': (words) => loggedOutPage({ language: words.language, brand: brandWithHome(words) }),
  },
  'notice-link-page': {
    ...createSamples(
      [...UNDONE, 'reclaimed'],
      (undoes) => `link of a notice of ${undoes}`,
      (undoes) => (words) => noticeLinkPage({ ...withoutCancel(words), undoes }),
    ),
    ...createSamples(
      UNDONE,
      (undoes) => `link of a notice of ${undoes}, done`,
      (undoes) =>
        ({ language, brand, action }) =>
          noticeLinkDonePage({ language, brand, undoes, outcome: 'done', accountHref: action }),
    ),
    ...createSamples(
      ['taken', 'over'],
      (outcome) => `link of a notice, ${outcome}`,
      (outcome) => (words) =>
        noticeLinkDonePage({ language: words.language, brand: brandWithHome(words), outcome }),
    ),
  },
  'dead-end-page': createSamples(
    Object.entries(deadEnds) as [DeadEndKey, DeadEnd][],
    ([reason]) => `dead end, ${reason}`,
    ([reason, end]) =>
      (words) =>
        deadEndPage({
          language: words.language,
          brand: brandWithHome(words),
          reason,
          end,
          requestId: sampleOf(words, 'requestId'),
          retryAfterSeconds: reason === 'rateLimited' ? 42 : undefined,
          detail: APPLICATION_MISTAKES.has(reason) ? sampleOf(words, 'mistake') : undefined,
        }),
  ),
  'form-post-page': {
    'form post': ({ language, brand, parameter }) =>
      formPostPage({ language, brand, redirectUri: REDIRECT_URI, parameters: { code: parameter } }),
  },
};
