import { once } from '../domain/basis/await-all.ts';
import { seal, unseal } from '../domain/basis/sealing.ts';
import { toUnavailable } from '../dynamo/unavailable.ts';
import type { Delivery, DeliveryTokens } from '../ports/delivery.ts';
import { createAwsCall } from './aws-call.ts';
import { type Environment, requireVariable } from './settings.ts';

const PURPOSE = 'delivery';
const DAY_LENGTH = 'yyyy-mm-dd'.length;
const TOKEN = /^(\d{4}-\d\d-\d\d)\.([\w-]{40,2000})$/;
/** Number of days for which token keys are derived: the longest lifetime of a token plus the current day. */
const DAYS_KEPT = 5;
const KMS_MILLISECONDS = 1000;
const MILLISECONDS = 1000;
const DAY_SECONDS = 86_400;

const toDay = (at: number): string => new Date(at * MILLISECONDS).toISOString().slice(0, DAY_LENGTH);

/**
 * Creates the tokens that authorize delivery reports: `<day>.<encrypted delivery>`. Once per container and day, KMS derives a
 * key from the key for webhooks. A token for a day other than the last five is rejected without a call to KMS.
 */
export function deliveryTokens(env: Environment): DeliveryTokens {
  const keys = new Map<string, Promise<string>>();
  const callKms = once(() =>
    createAwsCall('kms', { variable: 'AWS_ENDPOINT_URL_KMS', milliseconds: KMS_MILLISECONDS, env }),
  );

  async function deriveKey(day: string): Promise<string> {
    const { body = '' } = await callKms()({
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.GenerateMac' },
      body: JSON.stringify({
        KeyId: requireVariable(env, 'WEBHOOK_KEY_ID'),
        MacAlgorithm: 'HMAC_SHA_256',
        Message: Buffer.from(`${PURPOSE}\n${day}`).toString('base64'),
      }),
    }).catch((error: unknown) => {
      throw toUnavailable(error);
    });
    const { Mac } = JSON.parse(body) as { readonly Mac?: string };
    if (!Mac) throw new Error('KMS returned no MAC');
    return Mac;
  }

  function findKey(day: string): Promise<string> {
    const known = keys.get(day);
    if (known !== undefined) return known;
    const deriving = deriveKey(day);
    keys.set(day, deriving);
    deriving.catch(() => keys.delete(day));
    const [oldest] = keys.keys();
    if (keys.size > DAYS_KEPT && oldest !== undefined) keys.delete(oldest);
    return deriving;
  }

  return {
    async seal(delivery) {
      const day = toDay(delivery.sentAt);
      return `${day}.${seal(await findKey(day), PURPOSE, JSON.stringify(delivery))}`;
    },

    async open(token, at) {
      const [, day = '', sealed = ''] = TOKEN.exec(token) ?? [];
      const days = Array.from({ length: DAYS_KEPT }, (_, index) => toDay(at - index * DAY_SECONDS));
      if (!days.includes(day)) return undefined;
      const opened = unseal(await findKey(day), PURPOSE, sealed);
      if (opened === undefined) return undefined;
      const delivery = JSON.parse(opened) as Delivery;
      return delivery.expiresAt > at ? delivery : undefined;
    },
  };
}
