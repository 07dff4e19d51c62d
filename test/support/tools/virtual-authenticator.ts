import type { Page } from 'playwright-core';

/** A passkey provider that the browser believes to be built in (WebAuthn L3 §11). */
export interface VirtualAuthenticator {
  /** Whether pages from now on find that the browser offers passkeys in fields; it takes the first one by itself then. */
  isOffered(isOffered: boolean): Promise<void>;
  /** Whether the person shows who they are; an unanswered prompt fails at once. */
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
