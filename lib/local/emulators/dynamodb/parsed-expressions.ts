import conditions, { type Parser } from 'dynalite/db/conditionParser.js';
import updates from 'dynalite/db/updateParser.js';

/** As dynalite hands it over: names and values of the expression, and which of them no expression has used yet. */
interface Context {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, object>>;
  readonly unusedAttrNames: Record<string, unknown>;
  readonly unusedAttrVals: Record<string, unknown>;
  readonly isKeyCondition?: boolean;
}

/** Stands for the value of this name in a tree that is kept. */
class Value {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Known {
  readonly tree: unknown;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const KNOWN_MAX = 1000;
/** What these accept depends on the values themselves, not on their types. */
const BY_VALUE = /between|attribute_type/i;

/** dynalite parses every expression anew, and takes milliseconds for nested parentheses: now once for each text. */
export function rememberExpressions(): void {
  for (const parser of [conditions, updates]) remember(parser);
}

function remember(parser: Parser): void {
  const { parse } = parser;
  if (parse.name === 'recall') return;
  const known = new Map<string, Known>();
  parser.parse = function recall(text, options) {
    const { context } = options as { readonly context: Context };
    const { attrNames = {}, attrVals = {}, isKeyCondition } = context;
    if (BY_VALUE.test(text)) return parse(text, options);
    const types = Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)]);
    const key = JSON.stringify([text, attrNames, types, isKeyCondition]);
    const found = known.get(key) ?? parsed();
    if (typeof found === 'string') return found;
    for (const name of found.names) delete context.unusedAttrNames[name];
    for (const name of found.values) delete context.unusedAttrVals[name];
    return copied(found.tree, (node) => (node instanceof Value ? attrVals[node.name] : undefined));

    /** A text is a complaint. */
    function parsed(): Known | string {
      const unusedAttrNames: Context['unusedAttrNames'] = { ...attrNames };
      const unusedAttrVals: Context['unusedAttrVals'] = { ...attrVals };
      const tree = parse(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
      if (typeof tree === 'string') return tree;
      const nameOf = new Map(Object.entries(attrVals).map(([name, value]) => [value as unknown, name]));
      const made: Known = {
        tree: copied(tree, (node) => (nameOf.has(node) ? new Value(nameOf.get(node) ?? '') : undefined)),
        names: Object.keys(attrNames).filter((name) => !(name in unusedAttrNames)),
        values: Object.keys(attrVals).filter((name) => !(name in unusedAttrVals)),
      };
      if (known.size >= KNOWN_MAX) known.clear();
      known.set(key, made);
      return made;
    }
  };
}

/** `node` without what it shares with others; `replaced` brings what stands in a node's place. */
function copied(node: unknown, replaced: (node: object) => object | undefined): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const other = replaced(node);
  if (other) return other;
  if (Array.isArray(node)) return node.map((part) => copied(part, replaced));
  const copy = Object.create(Object.getPrototypeOf(node)) as Record<string, unknown>;
  for (const [name, part] of Object.entries(node)) copy[name] = copied(part, replaced);
  return copy;
}
