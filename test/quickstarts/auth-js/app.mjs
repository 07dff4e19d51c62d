// Logs users in on the hosted login pages, with Auth.js.
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';

const { PORT = '8080', AUTH_SECRET: secret = 'long and random, for cookies of your own' } = process.env;
const { ISSUER: issuer = 'http://localhost:3000/cis/oidc' } = process.env;
const { CLIENT_ID: clientId = 'demo-client', CLIENT_SECRET: clientSecret = 'demo-client-secret' } =
  process.env;

const config = {
  secret,
  trustHost: true,
  providers: [
    {
      id: 'login', // the redirect URI is /auth/callback/login
      name: 'One-Time Login',
      type: 'oidc',
      issuer,
      clientId,
      clientSecret,
      authorization: { params: { scope: 'openid profile email' } },
    },
  ],
  callbacks: {
    // Identify users by `sub`, because an email address may change.
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, userId: token.sub }),
  },
};

const app = express();
app.use('/auth', ExpressAuth(config));

app.get('/', async (request, response) => {
  const session = await getSession(request, config);
  response.type('html').send(`<!doctype html><html lang="en"><title>Shop</title>
    <p></p><a href="/auth/${session ? 'signout">Log out' : 'signin">Log in'}</a>
    <script>document.querySelector('p').textContent = ${JSON.stringify(
      session ? `Hello ${session.user.email}, user ${session.userId}` : 'Hello stranger',
    ).replaceAll('<', '\\u003c')}</script></html>`);
});

const server = app.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
