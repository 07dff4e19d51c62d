import conditions, { type Parser } from 'dynalite/db/conditionParser.js';
import updates from 'dynalite/db/updateParser.js';

/** Expression attribute names and values that dynalite passes to its parser, and those that the expression has not used yet. */
interface Context {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, object>>;
  readonly unusedAttrNames: Record<string, unknown>;
  readonly unusedAttrVals: Record<string, unknown>;
  readonly isKeyCondition?: boolean;
}

/** Placeholder in a cached syntax tree for the expression attribute value with this name. */
class ValuePlaceholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface CachedExpression {
  readonly tree: unknown;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const CACHE_MAX = 1000;
/** Operators that check the value of an operand and not only its type. Expressions with these operators cannot be cached. */
const UNCACHEABLE = /between|attribute_type/i;

/** Caches the syntax trees of expressions, because parsing a nested expression again at every use takes milliseconds. */
export function rememberExpressions(): void {
  for (const parser of [conditions, updates]) remember(parser);
}

function remember(parser: Parser): void {
  const { parse } = parser;
  if (parse.name === 'recall') return;
  const cache = new Map<string, CachedExpression>();
  parser.parse = function recall(text, options) {
    const { context } = options as { readonly context: Context };
    const { attrNames = {}, attrVals = {}, isKeyCondition } = context;
    if (UNCACHEABLE.test(text)) return parse(text, options);
    const types = Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)]);
    const key = JSON.stringify([text, attrNames, types, isKeyCondition]);
    const found = cache.get(key) ?? parseAndCache();
    if (typeof found === 'string') return found;
    for (const name of found.names) delete context.unusedAttrNames[name];
    for (const name of found.values) delete context.unusedAttrVals[name];
    return copyTree(found.tree, (node) =>
      node instanceof ValuePlaceholder ? attrVals[node.name] : undefined,
    );

    /** Parses an expression and adds the result to the cache. Returns the error message if the expression is invalid. */
    function parseAndCache(): CachedExpression | string {
      const unusedAttrNames: Context['unusedAttrNames'] = { ...attrNames };
      const unusedAttrVals: Context['unusedAttrVals'] = { ...attrVals };
      const tree = parse(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
      if (typeof tree === 'string') return tree;
      const valueNames = new Map(Object.entries(attrVals).map(([name, value]) => [value as unknown, name]));
      const made: CachedExpression = {
        tree: copyTree(tree, (node) =>
          valueNames.has(node) ? new ValuePlaceholder(valueNames.get(node) ?? '') : undefined,
        ),
        names: Object.keys(attrNames).filter((name) => !(name in unusedAttrNames)),
        values: Object.keys(attrVals).filter((name) => !(name in unusedAttrVals)),
      };
      if (cache.size >= CACHE_MAX) cache.clear();
      cache.set(key, made);
      return made;
    }
  };
}

/**
 * Copies a syntax tree deeply. If `replaced` returns an object for a node, the copy contains that object instead of the node.
 */
function copyTree(node: unknown, replaced: (node: object) => object | undefined): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const other = replaced(node);
  if (other) return other;
  if (Array.isArray(node)) return node.map((part) => copyTree(part, replaced));
  const copy = Object.create(Object.getPrototypeOf(node)) as Record<string, unknown>;
  for (const [name, part] of Object.entries(node)) copy[name] = copyTree(part, replaced);
  return copy;
}
