import { invalidInput } from '../../errors/service-error.ts';
import type { AndroidApp, Application } from '../../ports/directory.ts';
import type { androidAppFields } from '../../records/application.ts';
import type { CreateInput } from '../../records/field.ts';
import { applyChange, type FieldChange } from '../basis/change-record.ts';
import { HOST_NAME } from '../basis/host-name.ts';
import { RELATED_HOSTS_MAX } from '../basis/limits.ts';
import { listAndroidOrigins } from '../passkeys/relying-party.ts';
import { relatedHosts } from '../passkeys/shared-host.ts';

/** Returns the RP ID after a change. The RP ID cannot change once passkeys are bound to it. Errors: `system_invalid_input`. */
export function readRpId(current: Application, given: FieldChange<string>): string | undefined {
  if (given === undefined) return current.rpId;
  if (current.fixedRpId !== undefined && given !== current.fixedRpId)
    throw invalidInput(
      `rp_id: is ${current.fixedRpId} and cannot change, because the application has had passkeys`,
    );
  if (typeof given === 'string' && !HOST_NAME.test(given))
    // Browsers accept neither an IP address nor a port in an RP ID (WebAuthn L3 §5.1.2).
    throw invalidInput('rp_id: must be a host name in lower case');
  return applyChange(current.rpId, given);
}

/** Pattern of an Android origin, which contains the hash of the certificate that signs the app. */
const ANDROID = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/;

function isOrigin(text: string): boolean {
  if (ANDROID.test(text)) return true;
  if (!URL.canParse(text) || new URL(text).origin !== text) return false;
  return text.startsWith('https://') || LOOPBACK.test(text);
}

/**
 * Validates the origins where passkeys may be used. Origins are compared character by character. Hosts outside the RP ID work
 * only in browsers that support related origins, and these accept at most five names. Errors: `system_invalid_input`.
 */
export function readOrigins(given: readonly string[], rpId: string | undefined): readonly string[] {
  given.forEach((origin, index) => {
    if (!isOrigin(origin))
      throw invalidInput(`origins.${index}: must be an https origin, or android:apk-key-hash:<hash>`);
  });
  if (relatedHosts(given, rpId).size > RELATED_HOSTS_MAX)
    throw invalidInput(`origins: must have at most ${RELATED_HOSTS_MAX} hosts outside the RP ID`);
  return [...new Set(given)];
}

/** Normalises the certificate fingerprints of Android apps to upper case, the spelling that Android devices compare. */
export const readAndroidApps = (
  given: readonly CreateInput<typeof androidAppFields>[],
): readonly AndroidApp[] =>
  given.map(({ package_name, sha256_cert_fingerprints }) => ({
    packageName: package_name,
    sha256CertFingerprints: [...new Set(sha256_cert_fingerprints.map((each) => each.toUpperCase()))],
  }));

/**
 * Rejects an Android origin if no listed Android app has its certificate. Android lets an app use passkeys only if the host of
 * the RP ID lists the app's package name, which the origin does not contain. Errors: `system_invalid_input`.
 */
export function requireAndroidApps(application: Application): void {
  const known = listAndroidOrigins(application);
  application.origins?.forEach((origin, index) => {
    if (!ANDROID.test(origin) || known.includes(origin)) return;
    const fingerprint = Buffer.from(origin.slice(origin.lastIndexOf(':') + 1), 'base64url')
      .toString('hex')
      .toUpperCase()
      .replace(/(?<=.)(?=(?:..)+$)/g, ':');
    throw invalidInput(
      `origins.${index}: needs an app in android_apps with the certificate ${fingerprint}, because Android asks for its package name`,
    );
  });
}
