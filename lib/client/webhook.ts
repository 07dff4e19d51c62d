import { VerificationError } from './errors.ts';

export interface WebhookRequest {
  /** Body of the request, byte for byte. JSON that was parsed and serialized again no longer matches the signature. */
  readonly body: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Secret of the webhook, which begins with `whsec_`. */
  readonly secret: string;
}

/** Event that the service has sent to a webhook. */
export interface WebhookEvent {
  /** ID of the event, the same in every delivery of the event. Store the ID to detect repeated deliveries. */
  readonly id: string;
  readonly type: string;
  /** Time of the event (RFC 3339). */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Maximum difference in seconds between the signed timestamp and now (Standard Webhooks, "Verifying webhook authenticity"). */
const TOLERANCE_SECONDS = 300;

const decodeBase64 = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** Decodes a signature. Returns undefined if the text is not Base64. */
function decodeSignature(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return decodeBase64(base64);
  } catch {
    return undefined;
  }
}

async function isSigned({ secret }: WebhookRequest, signatures: string, text: string): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', decodeBase64(secret.replace(/^whsec_/, '')), hmac, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(text);
  // While a secret is being rotated, the header contains one signature for each valid secret.
  for (const signature of signatures.split(' ')) {
    const signatureBytes = signature.startsWith('v1,') ? decodeSignature(signature.slice(3)) : undefined;
    if (signatureBytes && (await crypto.subtle.verify('HMAC', key, signatureBytes, signed))) return true;
  }
  return false;
}

/**
 * Verifies that the service has signed a webhook request within the last five minutes, and returns its event.
 * @throws VerificationError if a header is missing, or if the timestamp or the signature is invalid.
 * @example
 * const event = await verifyWebhook({ secret, headers: request.headers, body: await request.text() });
 * console.log(event.type, event.data);
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { body, headers } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => (headers instanceof Headers ? headers.get(name) : headers[name])?.toString() ?? '',
  );
  if (!id || !timestamp || !signatures) throw new VerificationError('a header of the signature is missing');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) throw new VerificationError('the timestamp is more than five minutes off');
  if (!(await isSigned(request, signatures, `${id}.${timestamp}.${body}`)))
    throw new VerificationError('the signature is wrong');
  return { id, ...JSON.parse(body) };
}
