import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { ANONYMOUS_CALLS_PER_5_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { isAnonymous } from '../../../shared/http/effective-ports.ts';
import { listPaths } from '../../../shared/http/path.ts';
import type { OperationTable } from '../../build/bundle-folders.ts';
import { blockAsFlood, FLOOD_WINDOW_SECONDS, type floodBodies } from './flood-answers.ts';

/** Maximum length of a regular expression in AWS WAF ("AWS WAF quotas"). CloudFormation's schema would accept up to 512. */
const EXPRESSION_MAX = 200;

export const unsampled = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // Sampled requests would show whole requests, including codes and cookies, to every reader of the web ACL.
  sampledRequestsEnabled: false,
});

const managed = (name: string, priority: number): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
  visibilityConfig: unsampled(name),
});

const toExpression = (alternatives: readonly string[]): string => `^(/cis)?(${alternatives.join('|')})$`;

/** Returns regular expressions for the paths on which every operation requires a token or a secret. */
function guardedPathExpressions(table: OperationTable): readonly string[] {
  const rows = Object.values(table);
  const anonymous = new Set(rows.filter(isAnonymous).flatMap(listPaths));
  const guarded = rows.flatMap(listPaths).filter((path) => !anonymous.has(path));
  const groups: string[][] = [[]];
  for (const path of new Set(guarded)) {
    const alternative = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
    const group = groups.at(-1) ?? [];
    if (toExpression([...group, alternative]).length > EXPRESSION_MAX) groups.push([alternative]);
    else group.push(alternative);
  }
  return groups.map(toExpression);
}

/**
 * Matches all requests except those to paths that require a token or a secret. These paths are exempt because backends send
 * many requests from one address, and each client has its own limit. Only the path decides, because callers can choose the
 * method and headers freely. Requests to a path in an unusual spelling are also matched.
 */
const anonymous = (table: OperationTable): CfnWebACL.StatementProperty => ({
  notStatement: {
    statement: {
      orStatement: {
        statements: guardedPathExpressions(table).map((regexString) => ({
          regexMatchStatement: {
            regexString,
            fieldToMatch: { uriPath: {} },
            textTransformations: [{ priority: 0, type: 'NONE' }],
          },
        })),
      },
    },
  },
});

/** Matches requests of browsers, whose `Accept` header contains HTML. Programs do not accept HTML. */
const wantsPage: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    searchString: 'text/html',
    positionalConstraint: 'CONTAINS',
    fieldToMatch: { singleHeader: { Name: 'accept' } },
    textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
  },
};

const flood = (
  name: string,
  priority: number,
  answer: keyof typeof floodBodies,
  scopeDownStatement: CfnWebACL.StatementProperty,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  action: blockAsFlood(answer),
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit: ANONYMOUS_CALLS_PER_5_MINUTES,
      evaluationWindowSec: FLOOD_WINDOW_SECONDS,
      scopeDownStatement,
    },
  },
  visibilityConfig: unsampled(name),
});

export const webAclRules = (table: OperationTable): CfnWebACL.RuleProperty[] => [
  managed('AWSManagedRulesAmazonIpReputationList', 0),
  // This rule applies to browsers and responds with a page instead of JSON. Requests that pass it are checked again by the last
  // rule, which applies to all callers.
  flood('AnonymousFloodOfPages', 1, 'page', { andStatement: { statements: [wantsPage, anonymous(table)] } }),
  flood('AnonymousFlood', 2, 'json', anonymous(table)),
];
