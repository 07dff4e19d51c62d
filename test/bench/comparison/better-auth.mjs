import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { emailOTP, jwt } from 'better-auth/plugins';

/** better-auth on SQLite: codes by email, tokens signed by RS256 as those of the service are. */
const codes = new Map();
const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}`;

const options = {
  baseURL,
  secret: 'a secret of the bench, which no one needs to guess',
  database: new DatabaseSync(process.argv[2]),
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [
    emailOTP({ sendVerificationOTP: async ({ email, otp }) => void codes.set(email, otp) }),
    jwt({ jwks: { keyPairConfig: { alg: 'RS256' } } }),
  ],
};
await (await getMigrations(options)).runMigrations();
const handle = toNodeHandler(betterAuth(options));

process.on('message', ({ code }) =>
  process.send(code === undefined ? process.cpuUsage() : { code: codes.get(code) }),
);
process.once('disconnect', () => process.exit(0));
process.send({ url: baseURL });
