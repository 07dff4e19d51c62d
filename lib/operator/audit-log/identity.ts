import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';

/** Returns the ARN of the caller's AWS identity, as STS reports it. No IAM policy can deny this call to STS. */
export async function callerArn(region?: string): Promise<string> {
  const config = { ...CALL_SETTINGS, ...(region === undefined ? {} : { region }) };
  const { Arn } = await new STSClient(config).send(new GetCallerIdentityCommand({}));
  if (Arn === undefined) throw new Error('STS returned no ARN for these credentials.');
  return Arn;
}
