import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { listAuth } from '../../shared/http/effective-ports.ts';
import { DEFAULT_PATH, listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { LANGUAGES } from '../../shared/records/languages.ts';
import { policyHash } from '../../shared/templates/parts/style.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

// Tests the web ACL of CloudFront, which limits calls without a token per IP address.

interface Statement {
  readonly NotStatement?: { readonly Statement: Statement };
  readonly OrStatement?: { readonly Statements: readonly Statement[] };
  readonly AndStatement?: { readonly Statements: readonly Statement[] };
  readonly ByteMatchStatement?: object;
  readonly RegexMatchStatement?: { readonly RegexString: string; readonly FieldToMatch: object };
}
interface Rule {
  readonly Name: string;
  readonly Priority: number;
  readonly Action: {
    readonly Block: { readonly CustomResponse: { readonly CustomResponseBodyKey: string } };
  };
  readonly Statement: {
    readonly RateBasedStatement: {
      readonly Limit: number;
      readonly EvaluationWindowSec: number;
      readonly AggregateKeyType: string;
      readonly ScopeDownStatement: Statement;
    };
  };
}

const [acl] = new Cloud(synthesized('eu').templates).resources('AWS::WAFv2::WebACL');
const rules = acl?.properties.Rules as readonly Rule[];
const rule = rules.find(({ Name }) => Name === 'AnonymousFlood') as Rule;
const { ScopeDownStatement, ...rate } = rule.Statement.RateBasedStatement;

/** Returns true if a path matches an AWS WAF statement. Throws if the statement depends on anything but the path. */
function matches(statement: Statement, path: string): boolean {
  const { NotStatement, OrStatement, RegexMatchStatement } = statement;
  if (NotStatement) return !matches(NotStatement.Statement, path);
  if (OrStatement) return OrStatement.Statements.some((each) => matches(each, path));
  if (!RegexMatchStatement) throw new Error(`unknown statement: ${JSON.stringify(statement)}`);
  expect(RegexMatchStatement.FieldToMatch).toEqual({ UriPath: {} });
  return new RegExp(RegexMatchStatement.RegexString).test(path);
}
const counts = (path: string) => matches(ScopeDownStatement, path);

const rows = Object.values<Operation>(operations);
const pathsWith = (isWanted: (row: Operation) => boolean) =>
  rows
    .filter(isWanted)
    .flatMap(listPaths)
    .filter((path) => path !== DEFAULT_PATH)
    .map((path) => path.replace(/\{\w+\}/g, 'ann%2F..%2Fb'))
    .flatMap((path) => [path, `/cis${path}`]);
const isForStrangers = (row: Operation) =>
  listAuth(row).some((kind) => ['none', 'login-cookie', 'origin'].includes(kind));

describe('CloudFront rate limit on unauthenticated calls', () => {
  test('the web ACL allows 10,000 unauthenticated calls per IP address in 5 minutes', () => {
    expect(rate).toEqual({ Limit: 10_000, EvaluationWindowSec: 300, AggregateKeyType: 'IP' });
    expect(rule.Action).toEqual({
      Block: { CustomResponse: expect.objectContaining({ ResponseCode: 429 }) },
    });
  });

  test('the rate limit on unauthenticated calls applies to every path that needs no token', () => {
    const paths = pathsWith(isForStrangers);
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !counts(path))).toEqual([]);
  });

  test('the rate limit on unauthenticated calls also applies to unknown and unusually encoded paths', () => {
    for (const path of [
      '/',
      '/cis',
      '/robots.txt',
      '/V1/users',
      '/cis/v1/users/',
      '//v1/users',
      '/v1/%75sers',
    ])
      expect([path, counts(path)]).toEqual([path, true]);
  });

  test('the rate limit on unauthenticated calls does not apply to paths that need a token', () => {
    const strangers = new Set(pathsWith(isForStrangers));
    const paths = pathsWith((row) => !isForStrangers(row)).filter((path) => !strangers.has(path));
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter(counts)).toEqual([]);
  });
});

describe('CloudFront responses to callers above the rate limit', () => {
  const bodies = acl?.properties.CustomResponseBodies as Readonly<
    Record<string, { readonly ContentType: string; readonly Content: string }>
  >;
  const findBody = ({ Action }: Rule) => bodies[Action.Block.CustomResponse.CustomResponseBodyKey];

  test('a browser above the rate limit gets an error page with texts in every language', () => {
    const ofPages = rules.find(({ Name }) => Name === 'AnonymousFloodOfPages') as Rule;
    const { ScopeDownStatement: scope, ...rateOfPages } = ofPages.Statement.RateBasedStatement;
    expect(rateOfPages).toEqual(rate);
    expect(ofPages.Priority).toBeLessThan(rule.Priority);
    expect(scope.AndStatement?.Statements).toEqual([
      {
        ByteMatchStatement: expect.objectContaining({
          SearchString: 'text/html',
          PositionalConstraint: 'CONTAINS',
        }),
      },
      ScopeDownStatement,
    ]);
    const { ContentType, Content = '' } = findBody(ofPages) ?? {};
    expect(ContentType).toBe('TEXT_HTML');
    expect([...Content.matchAll(/<section lang="(\w+)"/g)].map(([, language]) => language)).toEqual([
      ...LANGUAGES,
    ]);
    expect(Content).toMatch(/Too many requests[\s\S]*Try again in 5 minutes/);
    const headers = JSON.stringify(ofPages.Action);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(Content) ?? [];
    for (const part of ['retry-after', '"300"', 'no-store', policyHash(style)])
      expect(headers).toContain(part);
  });

  test('above the rate limit, clients other than browsers get a JSON error', () => {
    const { ContentType, Content = '' } = findBody(rule) ?? {};
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toMatchObject({ error: 'temporarily_unavailable', error_code: 429 });
    expect(JSON.stringify(rule.Action)).toContain('retry-after');
  });
});
