export const services = ['dynamodb', 'kms', 'ses', 'sns', 'secretsmanager', 'eventbridge', 'sqs'] as const;
export type Service = (typeof services)[number];

export function isService(name: string): name is Service {
  return (services as readonly string[]).includes(name);
}

/** Where the SDK looks for the address of a service: by the service's own name. */
export function endpointVariable(service: Service): string {
  const name = service === 'secretsmanager' ? 'SECRETS_MANAGER' : service.toUpperCase();
  return `AWS_ENDPOINT_URL_${name}`;
}

/** Region, account and credentials that every stand-in accepts; no real AWS account has them. */
export const LOCAL_REGION = 'eu-central-1';
const LOCAL_ACCOUNT = '000000000000';

export function keyArn(keyId: string): string {
  return `arn:aws:kms:${LOCAL_REGION}:${LOCAL_ACCOUNT}:key/${keyId}`;
}
