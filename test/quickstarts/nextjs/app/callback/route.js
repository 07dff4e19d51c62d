// Exchanges the authorization code for tokens and stores the tokens in the session cookie.
import { NextResponse } from 'next/server';
import * as openid from 'openid-client';
import { discover, origin, sessionCookie, unseal } from '../../session.js';

export async function GET(request) {
  const login = await unseal('login', request.cookies);
  // If the login was cancelled or belongs to another browser, the user returns to the home page without a session.
  const answer = NextResponse.redirect(`${origin}/`);
  answer.cookies.delete('login');
  if (!login) return answer;
  try {
    const tokens = await openid.authorizationCodeGrant(
      await discover(),
      new URL(`${origin}/callback${request.nextUrl.search}`),
      { pkceCodeVerifier: login.verifier, expectedState: login.state, idTokenExpected: true },
    );
    answer.cookies.set(await sessionCookie(tokens));
  } catch (error) {
    console.error(error.message);
  }
  return answer;
}
