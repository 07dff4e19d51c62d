// Pages and route handlers check the session here. The proxy is not sufficient: with a wrong matcher, a page would be public.
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { unseal } from './session.js';

export const readSession = async () => unseal('session', await cookies());

/** Returns the session. Redirects to the login if there is no session. */
export async function requireSession() {
  return (await readSession()) ?? redirect('/login');
}
