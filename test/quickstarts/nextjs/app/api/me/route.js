import { readSession } from '../../../user.js';

export async function GET() {
  const session = await readSession();
  if (!session) return Response.json({ error: 'log in first' }, { status: 401 });
  return Response.json({ ...session.user, token: session.accessToken.slice(-8) });
}
