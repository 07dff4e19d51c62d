import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { ANONYMOUS_CALLS_PER_5_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { isAnonymous } from '../../../shared/http/effective-ports.ts';
import { pathsOf } from '../../../shared/http/path.ts';
import type { OperationTable } from '../../build/bundle.ts';

/** What AWS WAF takes as one expression. */
const EXPRESSION_MAX = 512;

export const withoutSamples = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
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
  visibilityConfig: withoutSamples(name),
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
const flood = (table: OperationTable): CfnWebACL.RuleProperty => ({
  name: 'AnonymousFlood',
  priority: 2,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit: ANONYMOUS_CALLS_PER_5_MINUTES,
      evaluationWindowSec: 300,
      scopeDownStatement: {
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
      },
    },
  },
  visibilityConfig: withoutSamples('AnonymousFlood'),
});

export const webAclRules = (table: OperationTable): CfnWebACL.RuleProperty[] => [
  managed('AWSManagedRulesAmazonIpReputationList', 0),
  managed('AWSManagedRulesKnownBadInputsRuleSet', 1),
  flood(table),
];
