import { readUriHost } from '../../shared/domain/basis/host-name.ts';
import { readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { oneLine } from '../../shared/templates/html.ts';
import type { NoticeInput } from '../../shared/templates/messages/email.ts';
import { chooseProviderLabel } from '../../shared/templates/parts/provider-button.ts';
import { findRemovedPasskey, type Notice } from './notice-undo.ts';

/** Maximum length of a passkey's name in a notice, in characters. */
const NAME_MAX = 40;

/**
 * Returns a passkey's name for a notice. Returns undefined for a name that looks like a link or an address: an attacker who can
 * rename a passkey could otherwise make the notice lead its reader to another site.
 */
function readPasskeyName(name = ''): string | undefined {
  const shown = oneLine(name).slice(0, NAME_MAX);
  return /[@/\\]|\w\.\w/.test(shown) ? undefined : shown;
}

/**
 * Returns the name of the client, identity provider or passkey that a notice is about. Returns undefined if the notice is about
 * none of these or if the name is not known, for example because the user has not named the passkey.
 */
export async function findNoticeSubject(
  ports: PortsWith<'passkeys.find'>,
  notice: Notice,
): Promise<NoticeInput['about']> {
  const { event, application, user } = notice;
  const name = (kind: 'client' | 'provider' | 'passkey', value: string | undefined) =>
    value ? { kind, name: value } : undefined;
  switch (notice.kind) {
    case 'client_connected':
      return name('client', readUriHost(String(event.client_id)));
    case 'identity_added':
    case 'identity_removed': {
      const brand = application && readPageBrand(application);
      const { provider } = event;
      return name(
        'provider',
        provider === undefined ? undefined : chooseProviderLabel(String(provider), brand),
      );
    }
    case 'passkey_removed': {
      const credentialId = findRemovedPasskey(notice);
      const passkey = credentialId && (await ports.passkeys.find(user.userId, credentialId, [credentialId]));
      return name('passkey', passkey ? readPasskeyName(passkey.name) : undefined);
    }
    default:
      return undefined;
  }
}
