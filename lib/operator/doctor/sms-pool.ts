import {
  DescribeConfigurationSetsCommand,
  DescribePhoneNumbersCommand,
  DescribePoolsCommand,
  DescribeSenderIdsCommand,
  PinpointSMSVoiceV2Client,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { undefinedIfNamed } from '../unless-named.ts';
import type { Facts } from './facts.ts';

const unlessMissing = <T>(answer: Promise<T>) => undefinedIfNamed(answer, 'ResourceNotFoundException');

type Origin = Awaited<ReturnType<Facts['smsPoolState']>>['origin'];

/** Finds the pool, phone number or sender ID with this ARN. Returns undefined if it does not exist in the account and region. */
async function findOrigin(client: PinpointSMSVoiceV2Client, arn: string): Promise<Origin> {
  const [kind, name = '', country = ''] = (arn.split(':').at(-1) ?? '').split('/');
  if (kind === 'sender-id') {
    const SenderIds = [{ SenderId: name, IsoCountryCode: country }];
    const found = await unlessMissing(client.send(new DescribeSenderIdsCommand({ SenderIds })));
    const [sender] = found?.SenderIds ?? [];
    return sender && { status: 'ACTIVE', messageTypes: sender.MessageTypes ?? [] };
  }
  const origin = kind === 'pool' ? await findPool(client, arn) : await findNumber(client, arn);
  return origin && { status: origin.Status ?? 'unknown', messageTypes: [origin.MessageType ?? ''] };
}

async function findPool(client: PinpointSMSVoiceV2Client, arn: string) {
  return (await unlessMissing(client.send(new DescribePoolsCommand({ PoolIds: [arn] }))))?.Pools?.[0];
}

async function findNumber(client: PinpointSMSVoiceV2Client, arn: string) {
  const asked = client.send(new DescribePhoneNumbersCommand({ PhoneNumberIds: [arn] }));
  return (await unlessMissing(asked))?.PhoneNumbers?.[0];
}

/** Reads what AWS End User Messaging reports about the sender of SMS and its configuration set. */
export async function readSmsPoolState({
  region,
  smsPool = '',
  smsConfigurationSet,
}: Pick<Facts, 'region' | 'smsPool' | 'smsConfigurationSet'>): ReturnType<Facts['smsPoolState']> {
  const client = new PinpointSMSVoiceV2Client({ ...CALL_SETTINGS, region });
  const [origin, sets] = await Promise.all([
    findOrigin(client, smsPool),
    smsConfigurationSet === undefined
      ? undefined
      : unlessMissing(
          client.send(new DescribeConfigurationSetsCommand({ ConfigurationSetNames: [smsConfigurationSet] })),
        ),
  ]);
  return { origin, hasConfigurationSet: sets?.ConfigurationSets?.[0] !== undefined };
}
