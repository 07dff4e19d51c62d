import { type Stack, Token, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Findings of the AWS Solutions pack that are meant, with reasons. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(
    ...Object.entries(reasons).map(([id, reason]) => ({ id: `AwsSolutions::AwsSolutions-${id}`, reason })),
  );
}

/** The finding about a resource of the account that is no single one, as in `key/*`. */
export function wideResource({ account, region }: Stack, service: string, resource: string): string {
  const id = Token.isUnresolved(account) ? '<AWS::AccountId>' : account;
  return `IAM5[Resource::arn:aws:${service}:${region}:${id}:${resource}]`;
}
