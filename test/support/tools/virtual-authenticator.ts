import type { Page } from 'playwright-core';

/** Virtual authenticator of Chromium, which acts as the platform authenticator (WebAuthn L3 §11). */
export interface VirtualAuthenticator {
  /** Sets whether later pages detect passkey autofill. If so, the browser uses the first passkey without a prompt. */
  isOffered(isOffered: boolean): Promise<void>;
  /** Sets whether user verification succeeds. If not, a passkey prompt fails immediately. */
  verifies(verifies: boolean): Promise<void>;
  credentials(): Promise<readonly { readonly credentialId: string; readonly userName?: string }[]>;
}

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.addInitScript(
    `if (sessionStorage.getItem('offered') !== 'true')
       PublicKeyCredential.isConditionalMediationAvailable = async () => false;`,
  );
  return {
    verifies: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    isOffered: async (isOffered) => {
      await page.evaluate(`sessionStorage.setItem('offered', '${isOffered}')`);
    },
  };
}
