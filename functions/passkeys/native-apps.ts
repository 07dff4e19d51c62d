import { listAppleApps, listAssetLinks } from '../../shared/domain/passkeys/shared-host.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Returns the Digital Asset Links of the login host, which Android reads before an app uses a passkey. */
export const assetLinks: UseCase<typeof rows.assetLinks> = async ({ settings }, ports) => ({
  json: await listAssetLinks(ports, settings),
});

/** Returns the associated domain file of the login host, which Apple's servers fetch for installed apps. */
export const appSiteAssociation: UseCase<typeof rows.appSiteAssociation> = async ({ settings }, ports) => {
  const { withPasskeys } = await listAppleApps(ports, settings);
  return { json: { webcredentials: { apps: [...withPasskeys] } } };
};
