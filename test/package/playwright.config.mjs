export default {
  testDir: '.',
  testMatch: 'playwright.test.mjs',
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
};
