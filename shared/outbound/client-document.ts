import type { IncomingMessage } from 'node:http';
import { DOCUMENT_BYTES_MAX, DOCUMENT_MILLISECONDS } from '../domain/basis/limits.ts';
import { publicRequest, RefusedTarget } from './public-request.ts';

/** A document as it came, or why there is none, for the one who publishes it. */
export type FetchedDocument =
  | { readonly body: string; readonly cacheControl: string | undefined }
  | { readonly refusal: string };

/** The body; undefined when it is too long, which is left unread. */
async function readBody(answer: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > DOCUMENT_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readAnswer(answer: IncomingMessage): Promise<FetchedDocument> {
  const { statusCode, headers } = answer;
  if (statusCode !== 200) return { refusal: `was answered with the status ${statusCode}` };
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(headers['content-type'] ?? ''))
    return { refusal: 'is not of the type application/json' };
  const body = await readBody(answer);
  return body === undefined
    ? { refusal: `has more than ${DOCUMENT_BYTES_MAX} bytes` }
    : { body, cacheControl: headers['cache-control'] };
}

/**
 * Fetches the document of a client: a public address, no redirect, JSON of 5 KB, 3 seconds in all
 * (draft-ietf-oauth-client-id-metadata-document-02 §5, §8.6, §8.7).
 */
export async function fetchDocument(
  address: string,
  { loopback }: { readonly loopback: boolean },
): Promise<FetchedDocument> {
  const signal = AbortSignal.timeout(DOCUMENT_MILLISECONDS);
  const headers = { accept: 'application/json' };
  try {
    const answer = await publicRequest(address, { method: 'GET', headers, signal, loopback });
    return await readAnswer(answer).finally(() => answer.destroy());
  } catch (error) {
    return {
      refusal: error instanceof RefusedTarget ? 'is at no public https address' : 'could not be fetched',
    };
  }
}
