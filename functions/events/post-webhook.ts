import { publicRequest } from '../../shared/outbound/public-request.ts';

const TIME_OUT_MILLISECONDS = 5000;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts within 5 seconds in all.
 * @returns the status
 * @throws the errors of `publicRequest`
 */
export async function post({ url, headers, body }: Post, loopback: boolean): Promise<number> {
  const signal = AbortSignal.timeout(TIME_OUT_MILLISECONDS);
  const answer = await publicRequest(url, { method: 'POST', headers, body, signal, loopback });
  // The status is all that counts.
  answer.destroy();
  return answer.statusCode ?? 0;
}
