// Every optional dependency that a lockfile names must be in it: npm writes such a lockfile when a platform package is
// missing at the registry, and `npm ci` then refuses it on a fresh machine. And no download address may be recorded.
import { readFileSync } from 'node:fs';

function complaintsOf(lockfile) {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'));
  const paths = Object.keys(packages);
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !paths.some((other) => other.endsWith(`node_modules/${name}`)))
      .map((name) => `${path || 'package.json'} names ${name}, which is not in ${lockfile}`),
  );
  const addresses = Object.entries(packages)
    .filter(([, { resolved = '' }]) => /^https?:/.test(resolved))
    .map(([path]) => `${path} in ${lockfile} records a download address`);
  return [...missing, ...addresses];
}

const lockfiles = ['.', 'test/clients', 'test/package', 'test/quickstarts'].map(
  (folder) => `${folder}/package-lock.json`,
);
const complaints = lockfiles.flatMap(complaintsOf);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exit(1);
}
