import type { ProviderName, ProviderPreference } from '../ports/providers.ts';
import { apple } from './apple.ts';
import type { Dialect, Dialects } from './dialect.ts';
import { facebook } from './facebook.ts';
import { google } from './google.ts';
import { line } from './line.ts';
import { openId } from './openid.ts';

const own: Dialects = { google, apple, facebook, line };

/** A provider with a configured issuer speaks plain OpenID Connect, any other its own dialect. */
export function dialectOf(provider: ProviderName, { issuer }: ProviderPreference): Dialect {
  return issuer === undefined ? own[provider] : openId(issuer);
}
