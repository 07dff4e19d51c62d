// Checks the lockfiles. Each optional dependency that a lockfile names must be in the lockfile itself: npm leaves out a
// platform package that is missing in the registry, and `npm ci` then fails on a fresh machine. A lockfile must contain no
// download URLs. Each package must accept all versions of Node that the project accepts, because `npm ci` otherwise prints
// EBADENGINE warnings.
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
