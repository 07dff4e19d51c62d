import type { CDPSession, Page } from 'playwright-core';

/** A passkey provider that the browser believes to be built in (WebAuthn L3 §11). */
export interface VirtualAuthenticator {
  /** Whether the person shows who they are; a prompt that nobody answers fails at once. */
  verifies(verifies: boolean): Promise<void>;
  credentials(): Promise<readonly { readonly credentialId: string; readonly userName?: string }[]>;
  /** A passkey that another authenticator has made. */
  put(credential: Parameters<CDPSession['send']>[1]): Promise<void>;
  remove(credentialId: string): Promise<void>;
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
  return {
    verifies: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    put: async (credential) => {
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential } as never);
    },
    remove: async (credentialId) => {
      await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
    },
  };
}
