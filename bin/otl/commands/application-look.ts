import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { galleryPage } from '../../../lib/preview/gallery.ts';
import { previewDocuments } from '../../../lib/preview/preview.ts';
import { LINK_HOSTS_MAX } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { toApplicationRecord } from '../../../shared/domain/management/application-record.ts';
import { changeLinkHosts, requireApplication } from '../../../shared/domain/management/applications.ts';
import { LANGUAGES } from '../../../shared/records/languages.ts';
import type { Command } from '../engine/command.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import { readHost } from './resource-uris.ts';

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
    const documents = previewDocuments(application, language);
    const write = (name: string, html: string) => writeFile(join(folder, `${name}.html`), html);
    for (const document of documents) await write(document.slug, await document.make());
    const toHref = ({ slug }: { readonly slug: string }) => `${slug}.html`;
    await write('index', galleryPage({ title: application.name, documents, toHref, choices: {} }));
    return { done: `Open ${resolve(folder, 'index.html')}` };
  },
};

/**
 * Builds a command that changes the list of hosts to which an application's pages may link. The API has no such operation,
 * because a client that may change the look of the login pages must not choose where they link.
 */
const command = (
  verb: string,
  summary: string,
  change: (hosts: readonly string[], host: string) => readonly string[],
): Command => ({
  verb,
  summary,
  changes: 'management.changed',
  id: 'required',
  required: { 'host <host>': 'a host name, such as help.example.com' },
  examples: ['0a1b2c --host help.example.com'],
  run: async ({ ports, tenant, id, option }) => {
    const host = readHost(option);
    const changed = await changeLinkHosts(
      ports,
      { tenant: await tenant(), applicationId: id },
      (hosts) => {
        const next = change(hosts, host);
        if (next.length > LINK_HOSTS_MAX)
          throw new RefusedError(`An application has at most ${LINK_HOSTS_MAX} confirmed hosts.`);
        return next;
      },
      nowSeconds(),
    );
    return { record: toApplicationRecord(changed) };
  },
});

export const linkHostCommands: readonly Command[] = [
  command(
    'confirm-host',
    'Confirms that a host belongs to the application, so that its pages may link to it',
    (hosts, host) => [...new Set([...hosts, host])],
  ),
  command('free-host', 'Removes a confirmed host, so that links to it are no longer shown', (hosts, host) =>
    hosts.filter((each) => each !== host),
  ),
];
