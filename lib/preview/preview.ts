import { readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import type { Application } from '../../shared/ports/directory.ts';
import { escapeHtml } from '../../shared/templates/html.ts';
import { type Language, languageAttributes } from '../../shared/templates/language.ts';
import { type LoginMethod, shownMethods } from '../../shared/templates/parts/methods.ts';
import { removeScripts } from '../../shared/templates/parts/passkey-form.ts';
import { renderMail } from '../local/emulators/messages/read-message.ts';
import { accountPages } from './account-pages.ts';
import { loginPages } from './login-pages.ts';
import { mailSamples, smsSamples } from './messages.ts';
import { otherPages } from './other-pages.ts';
import { ALL_METHODS, type PageSamples, type SampleData } from './sample.ts';

/** Sample data for every hosted page, keyed by file name in shared/templates/pages. A test requires a sample for every page. */
export const pageSamples: PageSamples = { ...loginPages, ...accountPages, ...otherPages };

/** Page, mail or text message of the preview. */
export interface PreviewDocument {
  /** Identifier of the document, used as the last segment of its URL and as a file name. */
  readonly slug: string;
  readonly name: string;
  readonly group: (typeof GROUPS)[keyof typeof GROUPS];
  readonly make: () => string | Promise<string>;
}

const GROUPS = { page: 'pages', mail: 'mails', sms: 'text messages' } as const;

const previewDocument = (
  kind: keyof typeof GROUPS,
  name: string,
  make: PreviewDocument['make'],
): PreviewDocument => ({
  name,
  group: GROUPS[kind],
  slug: `${kind} ${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  make,
});

function sampleWords(application: Application, language: Language): SampleData {
  const on = Object.keys(application.loginPreferences ?? {});
  const methods = shownMethods(ALL_METHODS.filter((method: LoginMethod) => on.includes(method)));
  return {
    language,
    brand: readPageBrand(application),
    methods: methods.length > 0 ? methods : ALL_METHODS,
    csrf: 'sample',
    action: '#',
    cancelAction: '#',
    parameter: 'sample',
  };
}

const renderSms = (text: string, language: Language) =>
  `<!doctype html><html ${languageAttributes(language)}><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>SMS</title><p dir="auto" style="font:1rem/1.5 sans-serif;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(text)}</p></html>`;

/** Returns every page, mail and text message of an application, filled with sample data. */
export function previewDocuments(application: Application, language: Language): readonly PreviewDocument[] {
  const words = sampleWords(application, language);
  const messageWords = { language, applicationName: application.name, brand: words.brand };
  const pages = Object.values(pageSamples).flatMap(Object.entries<PageSamples[string][string]>);
  return [
    ...pages.map(([name, make]) => previewDocument('page', name, () => removeScripts(make(words)))),
    ...mailSamples.map(([name, make]) =>
      previewDocument('mail', name, async () => renderMail((await make(messageWords)).raw)),
    ),
    ...smsSamples.map(([name, make]) =>
      previewDocument('sms', name, () => renderSms(make(messageWords), language)),
    ),
  ];
}
