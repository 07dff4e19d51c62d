// Runs before each page and route handler. Refreshed tokens are stored here, because pages cannot set cookies.
import { NextResponse } from 'next/server';
import { origin, refresh, unseal } from './session.js';

export const config = { matcher: '/((?!_next/|login$|callback$|favicon.ico).*)' };

const PROTECTED = /^\/orders(?:\/|$)/;

export async function proxy(request) {
  const session = await unseal('session', request.cookies);
  const cookie = session && (await refresh(session));
  // The page reads the new session cookie from the request, and the browser gets the cookie with the response.
  if (cookie) request.cookies.set(cookie.name, cookie.value);
  if (cookie === null) request.cookies.delete('session');
  const isKnown = session !== undefined && cookie !== null;
  const response =
    isKnown || !PROTECTED.test(request.nextUrl.pathname)
      ? NextResponse.next({ request: { headers: request.headers } })
      : NextResponse.redirect(`${origin}/login`);
  if (cookie) response.cookies.set(cookie);
  if (cookie === null) response.cookies.delete('session');
  return response;
}
