import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';

/** The ARN of the AWS credentials, from STS: no policy can deny this call. */
export async function callerArn(region?: string): Promise<string> {
  const config = { ...CALL_SETTINGS, ...(region === undefined ? {} : { region }) };
  const { Arn } = await new STSClient(config).send(new GetCallerIdentityCommand({}));
  if (Arn === undefined) throw new Error('STS does not say whose credentials these are.');
  return Arn;
}
