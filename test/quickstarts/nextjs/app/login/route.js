// Redirects the browser to the hosted login page. A cookie with state and PKCE verifier binds the response to this browser.
import { NextResponse } from 'next/server';
import * as openid from 'openid-client';
import { discover, origin, seal } from '../../session.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const address = openid.buildAuthorizationUrl(await discover(), {
    redirect_uri: `${origin}/callback`,
    scope: 'openid email offline_access',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const response = NextResponse.redirect(address);
  response.cookies.set(await seal('login', { verifier, state }, 600));
  return response;
}
