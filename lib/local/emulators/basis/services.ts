export const services = [
  'dynamodb',
  'kms',
  'ses',
  'sns',
  'secretsmanager',
  'eventbridge',
  'sqs',
  'logs',
  'lambda',
  'sms-voice',
] as const;
export type Service = (typeof services)[number];

export function isService(name: string): name is Service {
  return (services as readonly string[]).includes(name);
}

/** Returns the environment variable from which the AWS SDK reads the endpoint of a service. */
export function endpointVariable(service: Service): string {
  const names = new Map<Service, string>([
    ['secretsmanager', 'SECRETS_MANAGER'],
    ['logs', 'CLOUDWATCH_LOGS'],
    ['sms-voice', 'PINPOINT_SMS_VOICE_V2'],
  ]);
  return `AWS_ENDPOINT_URL_${names.get(service) ?? service.toUpperCase()}`;
}

/** AWS region that the emulators use in ARNs, and that the AWS SDK is configured with. */
export const LOCAL_REGION = 'eu-central-1';
/** AWS account ID in local ARNs. No real AWS account has this ID. */
const LOCAL_ACCOUNT = '000000000000';

export function keyArn(keyId: string): string {
  return `arn:aws:kms:${LOCAL_REGION}:${LOCAL_ACCOUNT}:key/${keyId}`;
}
