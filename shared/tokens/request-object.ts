import { decodeJwt } from 'jose';

/**
 * How a request object that is refused wants to be answered. Of an object that nothing has verified this word alone is read, for
 * this one answer (OIDC Core §6.1): the redirect URI is that of the query.
 */
export function responseModeOf(requestObject: string): 'query' | 'form_post' | undefined {
  try {
    const { response_mode: mode } = decodeJwt(requestObject);
    return mode === 'query' || mode === 'form_post' ? mode : undefined;
  } catch {
    return undefined;
  }
}
