// Every optional dependency that a lockfile names must be in it: npm writes such a lockfile when a platform package is
// missing at the registry, and `npm ci` then refuses it on a fresh machine. And no download address may be recorded. And each
// package must accept all versions of Node that the project accepts, or `npm ci` prints EBADENGINE warnings.
import { readFileSync } from 'node:fs';
import semver from 'semver';

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
  const accepted = packages[''].engines?.node;
  const engines = Object.entries(packages)
    .filter(([, { engines, optional }]) => accepted && engines?.node && !optional)
    .filter(([, { engines }]) => !semver.subset(accepted, engines.node))
    .map(([path, { engines }]) => `${path} in ${lockfile} needs Node ${engines.node}, not ${accepted}`);
  return [...missing, ...addresses, ...engines];
}

const lockfiles = ['.', 'test/clients', 'test/package', 'test/quickstarts'].map(
  (folder) => `${folder}/package-lock.json`,
);
const complaints = lockfiles.flatMap(complaintsOf);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exit(1);
}
