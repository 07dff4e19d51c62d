import type { ServerResponse } from 'node:http';
import type { Application } from '../../shared/ports/directory.ts';
import { LANGUAGES, type Language } from '../../shared/records/languages.ts';
import { ownName } from '../../shared/templates/texts/all.ts';
import { galleryPage } from '../preview/gallery.ts';
import { previewDocuments } from '../preview/preview.ts';
import { demo } from './demo.ts';
import { findApplication, listDemoApplications } from './seed.ts';

/**
 * Handles `/_local/preview`, which shows all pages and messages of an application with sample data. A path below
 * `/_local/preview` shows a single page or message. Returns false if the application or the page does not exist.
 */
export async function sendPreview(response: ServerResponse, url: URL): Promise<boolean> {
  const { searchParams, pathname } = url;
  const application = await findApplication(searchParams.get('app') ?? demo.applicationId);
  if (!application) return false;
  const asked = searchParams.get('language');
  const language = LANGUAGES.find((each) => each === asked) ?? application.language ?? 'en';
  const documents = previewDocuments(application, language);
  const slug = pathname.slice('/_local/preview/'.length);
  const html =
    slug === ''
      ? await renderGallery(application, language)
      : await documents.find((document) => document.slug === slug)?.make();
  if (html === undefined) return false;
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .end(html);
  return true;
}

async function renderGallery(application: Application, language: Language): Promise<string> {
  const toQuery = (id: string, tag: Language) => `?${new URLSearchParams({ app: id, language: tag })}`;
  const { applicationId, name } = application;
  return galleryPage({
    title: name,
    documents: previewDocuments(application, language),
    toHref: ({ slug }) => `/_local/preview/${slug}${toQuery(applicationId, language)}`,
    choices: {
      Application: (await listDemoApplications()).map((each) => ({
        label: each.name,
        href: toQuery(each.applicationId, language),
        isCurrent: each.applicationId === applicationId,
      })),
      Language: LANGUAGES.map((tag) => ({
        label: ownName[tag],
        href: toQuery(applicationId, tag),
        isCurrent: tag === language,
      })),
    },
  });
}
