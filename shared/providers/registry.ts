import type { BuiltInProvider, ProviderName, ProviderPreference } from '../ports/providers.ts';
import { apple } from './apple.ts';
import type { Dialect, Dialects } from './dialect.ts';
import { facebook } from './facebook.ts';
import { google } from './google.ts';
import { line } from './line.ts';
import { microsoft } from './microsoft.ts';
import { openId } from './openid.ts';

const own: Dialects = { google, apple, facebook, line, microsoft };

/** Creates a provider's protocol description: plain OpenID Connect if an issuer is configured, otherwise the built-in one. */
export function createDialect(provider: ProviderName, preference: ProviderPreference): Dialect {
  if (preference.issuer !== undefined) return openId(preference.issuer, preference);
  // Only built-in providers can have no issuer.
  const dialect = own[provider as BuiltInProvider];
  return typeof dialect === 'function' ? dialect(preference) : dialect;
}
