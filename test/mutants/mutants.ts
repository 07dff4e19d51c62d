import { stripTypeScriptTypes } from 'node:module';

/** One small change to a source file. The offsets `start` and `end` refer to the TypeScript source, including types. */
export interface Mutant {
  readonly path: string;
  /** Line number, starting at 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/** Text that mutation operators do not change: comments, strings and regular expressions. */
const OPAQUE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};>]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/g;

const blanked = (text: string): string => text.replace(OPAQUE, (match) => match.replace(/[^\n]/g, '_'));

/** Returns the offset after the bracket that closes the bracket at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  true: 'false',
  false: 'true',
};

// `none: true` is not changed, because its type allows no other value.
const SWAPS = [/(?<= )(?:===|!==|<=|>=|<|>|&&|\|\||\+|-)(?=\s)/g, /(?<!none: )\b(?:true|false)\b(?!:)/g];
const NEGATION = /(?<![\w)\]!])!(?=[\w(])/g;
const NUMBER = /(?<![\w.$])\d[\d_]*(?![\w.])/g;
const CALL = /(?<=^ +)(?:await |void )?[a-z][\w.?#]*\(.*\);$/gm;

function listChanges(code: string): readonly Pick<Mutant, 'start' | 'end' | 'instead'>[] {
  const text = blanked(code);
  const swaps = SWAPS.flatMap((pattern) => [...text.matchAll(pattern)]).map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    instead: SWAPPED[found] ?? '',
  }));
  const conditions = [...text.matchAll(/\bif \(/g)].flatMap(({ 0: found, index }) => {
    const start = index + found.length;
    const end = closing(text, start - 1);
    const negated = { start, end, instead: `!(${code.slice(start, end)})` };
    const isGuard = /^\) (?:throw|return|continue)\b/.test(text.slice(end, end + 10));
    return isGuard ? [negated, { start, end, instead: 'false' }] : [negated];
  });
  const negations = [...text.matchAll(NEGATION)].map(({ index }) => ({
    start: index,
    end: index + 1,
    instead: '',
  }));
  const numbers = [...text.matchAll(NUMBER)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    instead: String(Number(found.replaceAll('_', '')) + 1),
  }));
  const calls = [...text.matchAll(CALL)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    instead: ';',
  }));
  return [...swaps, ...conditions, ...negations, ...numbers, ...calls];
}

export const mutated = (code: string, { start, end, instead }: Omit<Mutant, 'path' | 'line'>): string =>
  code.slice(0, start) + instead + code.slice(end);

const isCode = (text: string): boolean => {
  try {
    return stripTypeScriptTypes(text) !== '';
  } catch {
    return false;
  }
};

/** Lists all mutants of a source file that can be parsed, in the order of the text. */
export function listMutants(path: string, text: string): readonly Mutant[] {
  return listChanges(stripTypeScriptTypes(text))
    .filter((change) => isCode(mutated(text, change)))
    .map((change) => ({ path, line: text.slice(0, change.start).split('\n').length, ...change }))
    .toSorted((a, b) => a.start - b.start);
}
