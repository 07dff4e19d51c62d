export const services = [
  'dynamodb',
  'kms',
  'ses',
  'sns',
  'secretsmanager',
  'eventbridge',
  'sqs',
  'logs',
] as const;
export type Service = (typeof services)[number];

export function isService(name: string): name is Service {
  return (services as readonly string[]).includes(name);
}

/** Where the SDK looks for the address of a service: by the service's own name. */
export function endpointVariable(service: Service): string {
  const names = new Map<Service, string>([
    ['secretsmanager', 'SECRETS_MANAGER'],
    ['logs', 'CLOUDWATCH_LOGS'],
  ]);
  return `AWS_ENDPOINT_URL_${names.get(service) ?? service.toUpperCase()}`;
}

/** Region, account and credentials that every emulator accepts; no real AWS account has them. */
export const LOCAL_REGION = 'eu-central-1';
const LOCAL_ACCOUNT = '000000000000';

export function keyArn(keyId: string): string {
  return `arn:aws:kms:${LOCAL_REGION}:${LOCAL_ACCOUNT}:key/${keyId}`;
}
