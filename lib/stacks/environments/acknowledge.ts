import { type Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Acknowledges intended findings of the AWS Solutions rule pack, with the reason for each. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(
    ...Object.entries(reasons).map(([id, reason]) => ({ id: `AwsSolutions::AwsSolutions-${id}`, reason })),
  );
}

/** Returns the ID of the finding about a wildcard resource in the account, such as `key/*`. */
export function toWildcardFindingId({ account, region }: Stack, service: string, resource: string): string {
  const id = Token.isUnresolved(account) ? '<AWS::AccountId>' : account;
  return `IAM5[Resource::arn:aws:${service}:${region}:${id}:${resource}]`;
}
