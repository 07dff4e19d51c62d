import { decodeJwt } from 'jose';

/**
 * Returns the response mode of a rejected request object, only to answer the rejection (OpenID Connect Core §6.1). The object
 * is unverified, so nothing else of it is read; the redirect URI is that of the query.
 */
export function readResponseMode(requestObject: string): 'query' | 'form_post' | undefined {
  try {
    const { response_mode: mode } = decodeJwt(requestObject);
    return mode === 'query' || mode === 'form_post' ? mode : undefined;
  } catch {
    return undefined;
  }
}
