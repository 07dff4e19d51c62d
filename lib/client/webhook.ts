import { VerificationError } from './errors.ts';

export interface WebhookRequest {
  /** As it came: parsing and printing it again would change it. */
  readonly body: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** That of the webhook: `whsec_…`. */
  readonly secret: string;
}

export interface WebhookEvent {
  /** The same when an event comes twice. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Standard Webhooks, "Verifying webhook authenticity". */
const TOLERANCE_SECONDS = 300;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** Undefined for what is no base64. */
function signatureBytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOf(base64);
  } catch {
    return undefined;
  }
}

async function isSigned({ secret }: WebhookRequest, signatures: string, text: string): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), hmac, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(text);
  // One for each secret that works.
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? signatureBytes(signature.slice(3)) : undefined;
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

/** The event of a request that the service has signed within five minutes. Errors: `VerificationError`. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { body, headers } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => (headers instanceof Headers ? headers.get(name) : headers[name])?.toString() ?? '',
  );
  if (!id || !timestamp || !signatures) throw new VerificationError('a header of the signature is missing');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) throw new VerificationError('the timestamp is not that of now');
  if (!(await isSigned(request, signatures, `${id}.${timestamp}.${body}`)))
    throw new VerificationError('the signature is wrong');
  return { id, ...JSON.parse(body) };
}
