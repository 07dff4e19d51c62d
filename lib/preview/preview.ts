import { brandOf } from '../../shared/flows/browser/browser-context.ts';
import type { Application } from '../../shared/ports/directory.ts';
import { escapeHtml } from '../../shared/templates/html.ts';
import { type Language, languageAttributes } from '../../shared/templates/language.ts';
import { type LoginMethod, shownMethods } from '../../shared/templates/parts/methods.ts';
import { renderMail } from '../local/emulators/messages/read-message.ts';
import { accountPages } from './account-pages.ts';
import { loginPages } from './login-pages.ts';
import { mailSamples, smsSamples } from './messages.ts';
import { otherPages } from './other-pages.ts';
import { ALL_METHODS, type PageSamples, type SampleWords } from './sample.ts';

/** Every page, by its file in shared/templates/pages. A new page gets its sample in one of these. */
export const pageSamples: PageSamples = { ...loginPages, ...accountPages, ...otherPages };

export interface PreviewDocument {
  /** Part of an address, and the name of a file. */
  readonly slug: string;
  readonly name: string;
  readonly group: (typeof GROUPS)[keyof typeof GROUPS];
  readonly make: () => string | Promise<string>;
}

const GROUPS = { page: 'pages', mail: 'mails', sms: 'text messages' } as const;

const documentOf = (
  kind: keyof typeof GROUPS,
  name: string,
  make: PreviewDocument['make'],
): PreviewDocument => ({
  name,
  group: GROUPS[kind],
  slug: `${kind} ${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  make,
});

function wordsOf(application: Application, language: Language): SampleWords {
  const on = Object.keys(application.loginPreferences ?? {});
  const methods = shownMethods(ALL_METHODS.filter((method: LoginMethod) => on.includes(method)));
  return {
    language,
    brand: brandOf(application),
    methods: methods.length > 0 ? methods : ALL_METHODS,
    csrf: 'sample',
    action: '#',
    cancelAction: '#',
    typed: 'dana@example.com',
    parameter: 'sample',
  };
}

/** Without scripts, which would post to nowhere; what a script would show is shown. */
const still = (html: string) =>
  html
    .replace(/<(script|noscript)>[\s\S]*?<\/\1>| autofocus\b/g, '')
    .replaceAll('<div id="passkey" hidden', '<div id="passkey"');

const bubble = (text: string, language: Language) =>
  `<!doctype html><html ${languageAttributes(language)}><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>SMS</title><p dir="auto" style="font:1rem/1.5 sans-serif;white-space:pre-wrap">${escapeHtml(text)}</p></html>`;

/** Every page, mail and text message of an application, filled with sample data. */
export function previewOf(application: Application, language: Language): readonly PreviewDocument[] {
  const words = wordsOf(application, language);
  const messageWords = { language, applicationName: application.name, brand: words.brand };
  const pages = Object.values(pageSamples).flatMap(Object.entries<PageSamples[string][string]>);
  return [
    ...pages.map(([name, make]) => documentOf('page', name, () => still(make(words)))),
    ...mailSamples.map(([name, make]) =>
      documentOf('mail', name, async () => renderMail((await make(messageWords)).raw)),
    ),
    ...smsSamples.map(([name, make]) => documentOf('sms', name, () => bubble(make(messageWords), language))),
  ];
}
