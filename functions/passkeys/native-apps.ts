import { OPEN_LINK_PATH } from '../../shared/domain/credentials/magic-link.ts';
import { OPEN_MAILED_LINK_PATH } from '../../shared/domain/credentials/mailed-link.ts';
import { listAppleApps, listAssetLinks } from '../../shared/domain/passkeys/shared-host.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Returns the Digital Asset Links of the login host, which Android reads before an app uses a passkey. */
export const assetLinks: UseCase<typeof rows.assetLinks> = async ({ settings }, ports) => ({
  json: await listAssetLinks(ports, settings),
});

/** Returns the associated domain file of the login host, which Apple's servers fetch for installed apps. */
export const appSiteAssociation: UseCase<typeof rows.appSiteAssociation> = async ({ settings }, ports) => {
  const { withPasskeys, withLinks } = await listAppleApps(ports, settings);
  const components = [OPEN_LINK_PATH, OPEN_MAILED_LINK_PATH].map((path) => ({ '/': path }));
  return {
    json: {
      webcredentials: { apps: [...withPasskeys] },
      ...(withLinks.length > 0 ? { applinks: { details: [{ appIDs: [...withLinks], components }] } } : {}),
    },
  };
};
