import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The page of the attacks that are tried, made whole from the titles of the suite. */

const FOLDER = join(import.meta.dirname, '../../../test/attacks');

const POSITIONS = {
  'mailbox-reader': 'Who reads one mailbox',
  stranger: 'A stranger',
  'side-application': 'A client of a side application',
  'management-client': 'A management client',
  'other-tenant': 'Another tenant',
  'old-token': 'Who holds an old token or cookie',
  'table-copy': 'Who has a copy of the tables',
  honest: 'Honest users beside them',
} as const;

/** Titles of `describe`, `test` and their `.each`, with the indentation that tells which belongs to which. */
const TITLE = /^( *)(?:describe|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])(.+?)\2,/gm;

const plain = (title: string): string =>
  title
    .replace(/\\(['"`])/g, '$1')
    .replace(/:? ?\/?%[sj]|\$\{\w+\}/g, ' …')
    .replaceAll('|', '\\|')
    .trim();

function rowsOf(file: string): readonly string[] {
  const source = readFileSync(join(FOLDER, file), 'utf8');
  let about = '';
  return [...source.matchAll(TITLE)].flatMap(([whole, indent = '', , title = '']) => {
    if (whole.trimStart().startsWith('describe')) {
      about = plain(title);
      return [];
    }
    const shown = indent === '' ? '' : about;
    about = '';
    return [`| ${shown} | ${plain(title)} |`];
  });
}

function sectionOf([prefix, heading]: readonly [string, string], files: readonly string[]): string {
  const own = files.filter((file) => file.startsWith(prefix));
  if (own.length === 0) return '';
  const tables = own.map(
    (file) =>
      `[${file}](${file})\n\n| What | is tried, and what holds |\n|---|---|\n${rowsOf(file).join('\n')}`,
  );
  return `## ${heading}\n\n${tables.join('\n\n')}\n`;
}

export function attacksPage(): string {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.test.ts'));
  const sections = Object.entries(POSITIONS).map((position) => sectionOf(position, files));
  return `<!-- Made by npm run pages. -->

# Attacks

Each attack is made over HTTP by who is in that position. Its test shows that it fails, and that the honest way beside
it works. [The security notes](../../shared/SECURITY-NOTES.md) say what is done about it.

${sections.filter((section) => section !== '').join('\n')}`;
}
