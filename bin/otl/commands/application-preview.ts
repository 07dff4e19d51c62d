import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { galleryPage } from '../../../lib/preview/gallery.ts';
import { previewOf } from '../../../lib/preview/preview.ts';
import { requireApplication } from '../../../shared/domain/management/applications.ts';
import { LANGUAGES } from '../../../shared/templates/language.ts';
import type { Command } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';

export const preview: Command = {
  verb: 'preview',
  summary: 'Writes every page, mail and text message of an application as files, with sample data',
  id: 'required',
  options: {
    'out <folder>': 'where the files go (default: preview)',
    'language <language>': `one of ${LANGUAGES.join(', ')} (default: that of the application)`,
  },
  examples: ['0a1b2c', '0a1b2c --language ja --out dist/preview'],
  run: async ({ ports, tenant, id, option }) => {
    const application = await requireApplication(ports, await tenant(), id);
    const asked = option('language') ?? application.language ?? 'en';
    const language = LANGUAGES.find((each) => each === asked);
    if (!language) throw new UsageError(`--language must be one of ${LANGUAGES.join(', ')}.`);
    const folder = option('out') ?? 'preview';
    await mkdir(folder, { recursive: true });
    const documents = previewOf(application, language);
    const write = (name: string, html: string) => writeFile(join(folder, `${name}.html`), html);
    for (const document of documents) await write(document.slug, await document.make());
    const hrefOf = ({ slug }: { readonly slug: string }) => `${slug}.html`;
    await write('index', galleryPage({ title: application.name, documents, hrefOf, choices: {} }));
    return { done: `Open ${resolve(folder, 'index.html')}` };
  },
};
