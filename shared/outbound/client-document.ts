import type { IncomingMessage } from 'node:http';
import { DOCUMENT_BYTES_MAX, DOCUMENT_MILLISECONDS } from '../domain/basis/limits.ts';
import { publicRequest, RefusedTarget } from './public-request.ts';

/** Client metadata document as received, or the reason why it was rejected. The reason is shown to the document's publisher. */
export type FetchedDocument =
  | { readonly body: string; readonly cacheControl: string | undefined }
  | { readonly refusal: string };

/** Reads the body of a response. If the body is too long, returns undefined without reading the rest. */
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
  if (statusCode !== 200) return { refusal: `was answered with status ${statusCode}` };
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(headers['content-type'] ?? ''))
    return { refusal: 'is not of the type application/json' };
  const body = await readBody(answer);
  return body === undefined
    ? { refusal: `has more than ${DOCUMENT_BYTES_MAX} bytes` }
    : { body, cacheControl: headers['cache-control'] };
}

/**
 * Fetches a client metadata document of at most 5 KB of JSON within 3 seconds. Calls only public addresses and follows no
 * redirects (draft-ietf-oauth-client-id-metadata-document-02 §5, §8.6, §8.7).
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
      refusal: error instanceof RefusedTarget ? 'is not at a public https address' : 'could not be fetched',
    };
  }
}
