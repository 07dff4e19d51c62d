import { decodeJwt } from 'jose';

/**
 * Returns the response mode in a rejected request object, so that the error response uses it (OpenID Connect Core §6.1). No
 * other value is read, because the object is not verified; the redirect URI comes from the query.
 */
export function readResponseMode(requestObject: string): 'query' | 'form_post' | undefined {
  try {
    const { response_mode: mode } = decodeJwt(requestObject);
    return mode === 'query' || mode === 'form_post' ? mode : undefined;
  } catch {
    return undefined;
  }
}
