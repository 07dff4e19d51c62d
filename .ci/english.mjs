// Checks the wording that CONTRIBUTING.md demands: the beginnings of docblocks and test titles, docblocks that attach to
// nothing or to the wrong symbol, retired words, and the subjects of commits that are not on main yet.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e9 }).split('\n').filter(Boolean);
const lineOf = (text, index) => text.slice(0, index).split('\n').length;
const found = [];
const complain = (place, why) => found.push(`${place}: ${why}`);

const BLOCK = /^[ \t]*\/\*\*([\s\S]*?)\*\/[ \t]*(.*)$/gm;
const BEGINNING = /^(?:Of|What|Whether|Who|Whom|Whose|That|Those|The same|As|Beside|And|But|Or)\b/;
const TITLE = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)+)\1/g;
const TITLE_BEGINNING = /^(?:and|or|but|while|also|of|that)\b/i;
const RETIRED =
  /\b(?:asleep|isShutOut|shut out|shuts out|isQuarantined|isOver|stopLoss|whoever|somebody|nobody)\b/i;
// Stored values keep their names.
const STORED = /['`]nobody['`]/g;
const SUBJECT = /^(?:feat|fix|refactor|perf|test|docs|build|ci)(?:\([\w,/.-]+\))?!?: [a-z].*[^.]$/;

/** Reports docblocks of a source file that begin with a wrong word or attach to the wrong symbol. */
function checkBlocks(file, text) {
  for (const match of text.matchAll(BLOCK)) {
    const place = `${file}:${lineOf(text, match.index)}`;
    const words = match[1]
      .replace(/^\s*\* ?/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (BEGINNING.test(words)) complain(place, `a docblock begins with "${words.split(' ', 2).join(' ')}"`);
    if (words.startsWith('@file') || match[2] !== '') continue;
    const [next = ''] = text.slice(match.index + match[0].length + 1).split('\n');
    if (next.trim() === '')
      complain(place, 'a docblock stands above an empty line, and attaches to what comes after it');
    if (/^\s*\/\*\*/.test(next)) complain(place, 'a docblock is hidden behind the next one');
    if (/^import\b/.test(next)) complain(place, 'a docblock stands above the imports without @file');
  }
}

for (const file of git('ls-files', 'bin', 'lib', 'functions', 'shared', 'test', '*.md')) {
  if (
    !/\.(?:ts|mjs|js|md)$/.test(file) ||
    /templates\/texts\/|^test\/clients\/|^CONTRIBUTING\.md$/.test(file)
  )
    continue;
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.md')) checkBlocks(file, text);
  for (const [index, line] of text.split('\n').entries()) {
    const retired = RETIRED.exec(line.replace(STORED, ''));
    if (retired) complain(`${file}:${index + 1}`, `the word "${retired[0]}" is retired`);
  }
  if (!file.endsWith('.test.ts')) continue;
  for (const match of text.matchAll(TITLE))
    if (TITLE_BEGINNING.test(match[2]))
      complain(`${file}:${lineOf(text, match.index)}`, `a title begins: "${match[2]}"`);
}

const base = ['origin/main', 'main'].find(
  (name) => git('for-each-ref', `refs/heads/${name}`, `refs/remotes/${name}`).length > 0,
);
for (const line of base ? git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`) : []) {
  const [hash, subject] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
  if (!SUBJECT.test(subject) || subject.length > 72)
    complain(hash, `the subject "${subject}" is not as CONTRIBUTING.md says`);
}

for (const each of found) console.error(each);
console.log(found.length === 0 ? 'wording: nothing found' : `wording: ${found.length} found`);
process.exitCode = found.length === 0 ? 0 : 1;
