import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { ANONYMOUS_CALLS_PER_5_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { isAnonymous } from '../../../shared/http/effective-ports.ts';
import { pathsOf } from '../../../shared/http/path.ts';
import type { OperationTable } from '../../build/bundle.ts';
import { blockAsFlood, FLOOD_WINDOW_SECONDS, type floodBodies } from './flood-answers.ts';

/** What AWS WAF takes as one expression ("AWS WAF quotas"). Its schema of CloudFormation says 512. */
const EXPRESSION_MAX = 200;

export const unsampled = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  // A sample would show whole requests, with codes and cookies, to every reader of the ACL.
  sampledRequestsEnabled: false,
});

const managed = (name: string, priority: number): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
  visibilityConfig: unsampled(name),
});

const expressionOf = (alternatives: readonly string[]): string => `^(/cis)?(${alternatives.join('|')})$`;

/** Expressions for the paths that need a token or a secret, in every one of their rows. */
function expressionsOf(table: OperationTable): readonly string[] {
  const rows = Object.values(table);
  const anonymous = new Set(rows.filter(isAnonymous).flatMap(pathsOf));
  const guarded = rows.flatMap(pathsOf).filter((path) => !anonymous.has(path));
  const groups: string[][] = [[]];
  for (const path of new Set(guarded)) {
    const alternative = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
    const group = groups.at(-1) ?? [];
    if (expressionOf([...group, alternative]).length > EXPRESSION_MAX) groups.push([alternative]);
    else group.push(alternative);
  }
  return groups.map(expressionOf);
}

/**
 * Limits the calls of one address to everything but the paths that need a token or a secret: backends make many from one
 * address, and each client has a limit of its own. The path alone decides, because a caller chooses method and headers. What
 * is spelled in a strange way counts as anonymous.
 */
const anonymous = (table: OperationTable): CfnWebACL.StatementProperty => ({
  notStatement: {
    statement: {
      orStatement: {
        statements: expressionsOf(table).map((regexString) => ({
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

/** The rule of our own error pages: a caller that names no HTML is a program. */
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
  // Of the calls that the last rule limits, those of browsers, which get a page. It lets nothing through that the last would not.
  flood('AnonymousFloodOfPages', 1, 'page', { andStatement: { statements: [wantsPage, anonymous(table)] } }),
  flood('AnonymousFlood', 2, 'json', anonymous(table)),
];
