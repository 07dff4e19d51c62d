// The check for pages and handlers. The proxy alone is no check: a wrong matcher would open a page.
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { unseal } from './session.js';

export const readSession = async () => unseal('session', await cookies());

/** Returns the session, or sends a person without a session to the login. */
export async function requireSession() {
  return (await readSession()) ?? redirect('/login');
}
