import { requireSession } from '../../user.js';

export default async function Orders() {
  const { user, accessToken } = await requireSession();
  return (
    <p>
      No orders of {user.sub}, token {accessToken.slice(-8)}
    </p>
  );
}
