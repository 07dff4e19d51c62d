// Responses that AWS WAF sends to too many requests. They are static: the page contains all languages, but no application's
// colours or logo.

import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { renderError } from '../../../shared/errors/render.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { LANGUAGES } from '../../../shared/records/languages.ts';
import { escapeHtml } from '../../../shared/templates/html.ts';
import { formatWaitingTime, type Language, languageAttributes } from '../../../shared/templates/language.ts';
import { policyHash } from '../../../shared/templates/parts/style.ts';
import { deadEndWords, rateLimited } from '../../../shared/templates/texts/all.ts';
import { fill } from '../../../shared/templates/texts/fill.ts';

export const FLOOD_WINDOW_SECONDS = 300;

const STYLE = `:root{color-scheme:light dark}
body{max-width:26rem;margin:0 auto;padding:2rem 1rem;font:100%/1.5 system-ui,sans-serif}
h1,h2{font-size:1.25rem;margin:1.5rem 0 .25rem}
p{margin:0}`;

function section(language: Language, at: number): string {
  const { heading, body } = rateLimited[language];
  const tag = at === 0 ? 'h1' : 'h2';
  const advice = fill(deadEndWords[language].retryIn, {
    wait: formatWaitingTime(language, FLOOD_WINDOW_SECONDS),
  });
  return `<section ${languageAttributes(language)}><${tag}>${escapeHtml(heading)}</${tag}><p>${escapeHtml(`${body} ${advice}`)}</p></section>`;
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(rateLimited.en.heading)}</title><style>${STYLE}</style></head><body><main>
${LANGUAGES.map(section).join('\n')}
</main></body></html>`;

const { body } = renderError(new ServiceError('rate_limited'), 'oauth', undefined);

export const floodBodies: Readonly<Record<'page' | 'json', CfnWebACL.CustomResponseBodyProperty>> = {
  page: { contentType: 'TEXT_HTML', content: page },
  json: { contentType: 'APPLICATION_JSON', content: JSON.stringify(body) },
};

/** Returns the WAF action that responds with 429 and the given body (RFC 6585 §4). */
export function blockAsFlood(customResponseBodyKey: keyof typeof floodBodies): CfnWebACL.RuleActionProperty {
  const headers = {
    'retry-after': String(FLOOD_WINDOW_SECONDS),
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${policyHash(STYLE)}; frame-ancestors 'none'`,
  };
  const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return { block: { customResponse: { responseCode: 429, customResponseBodyKey, responseHeaders } } };
}
