// Tests an application in a browser, as its users see it. The application is the Express quickstart in the folder ../express.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startLocal } from 'one-time-login/local';

let login;
let app;
let url;
test.beforeAll(async () => {
  login = await startLocal();
  const { base_url: BASE_URL, client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = login.environment;
  app = spawn(process.execPath, [join(import.meta.dirname, '../express/app.mjs')], {
    env: { ...process.env, PORT: '0', BASE_URL, CLIENT_ID, CLIENT_SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The application prints its URL when it is ready.
  url = String(await once(app.stdout, 'data')).trim();
});
test.afterEach(() => login.reset());
test.afterAll(async () => {
  app.kill();
  await login.close();
});

async function askForCode(page, email) {
  await page.goto(url);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button').click();
  await page.getByLabel('Code').waitFor();
  const { codes } = await login.inbox.waitFor(email);
  return codes[0];
}

test('a customer can log in with the emailed code and log out again', async ({ page }) => {
  await page.getByLabel('Code').fill(await askForCode(page, 'ann@example.com'));
  await page.getByRole('button').click();
  await expect(page.getByText('Hello ann@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('an expired code is rejected', async ({ page }) => {
  const code = await askForCode(page, 'ben@example.com');
  await login.clock.advance(3600);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button').click();
  await expect(page.getByText('expired')).toBeVisible();
});
