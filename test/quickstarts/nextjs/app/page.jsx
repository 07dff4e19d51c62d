import { readSession } from '../user.js';

export default async function Home() {
  const session = await readSession();
  // This is no <Link>, because Next.js would prefetch /login and thereby start a login.
  if (!session) return <a href="/login">Log in</a>;
  return (
    <form method="post" action="/logout">
      <p>Hello {session.user.email}</p>
      <a href="/orders">Orders</a> <button type="submit">Log out</button>
    </form>
  );
}
