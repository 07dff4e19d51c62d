import { NextResponse } from 'next/server';
import * as openid from 'openid-client';
import { discover, origin } from '../../session.js';
import { readSession } from '../../user.js';

export async function POST() {
  const { idToken, refreshToken } = (await readSession()) ?? {};
  const config = await discover();
  // An error is only logged, so that the session cookie is deleted even if the service is unreachable.
  if (refreshToken) await openid.tokenRevocation(config, refreshToken).catch(console.error);
  const address = idToken
    ? openid.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/` })
    : `${origin}/`;
  const response = NextResponse.redirect(address, 303);
  response.cookies.delete('session');
  return response;
}
