import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';

/** The ARN of the AWS credentials, from STS: no policy can deny this call. */
export async function callerArn(): Promise<string> {
  const { Arn } = await new STSClient(CALL_SETTINGS).send(new GetCallerIdentityCommand({}));
  if (Arn === undefined) throw new Error('STS does not say whose credentials these are.');
  return Arn;
}
