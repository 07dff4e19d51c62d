import { publicRequest } from '../../shared/outbound/public-request.ts';

const TIME_OUT_MILLISECONDS = 5000;

/** An HTTP POST to an address that a tenant has configured. */
export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a POST request to an address that a tenant has configured, with a total timeout of 5 seconds.
 * @param loopback true allows addresses of this machine, for the local server
 * @returns the status of the response
 * @throws the errors of `publicRequest`
 */
export async function post({ url, headers, body }: WebhookPost, loopback: boolean): Promise<number> {
  const signal = AbortSignal.timeout(TIME_OUT_MILLISECONDS);
  const answer = await publicRequest(url, { method: 'POST', headers, body, signal, loopback });
  // Only the status is needed, so the body is not read.
  answer.destroy();
  return answer.statusCode ?? 0;
}
