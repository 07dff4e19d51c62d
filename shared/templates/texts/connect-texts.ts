import type { Language } from '../language.ts';

interface ConnectTexts {
  readonly heading: (provider: string) => string;
  readonly body: (provider: string) => string;
}

/** The page that leads to a provider, to connect an account there. */
export const connectTexts: Readonly<Record<Language, ConnectTexts>> = {
  en: {
    heading: (provider) => `Connect ${provider}`,
    body: (provider) =>
      `Sign in at ${provider} with the account that should open yours here. From then on it is one more way to sign in.`,
  },
  es: {
    heading: (provider) => `Conectar ${provider}`,
    body: (provider) =>
      `Inicia sesión en ${provider} con la cuenta que abrirá la tuya aquí. Desde entonces será otra forma de iniciar sesión.`,
  },
  fr: {
    heading: (provider) => `Associer ${provider}`,
    body: (provider) =>
      `Connectez-vous chez ${provider} avec le compte qui doit ouvrir le vôtre ici. Ce sera ensuite une façon de plus de vous connecter.`,
  },
  de: {
    heading: (provider) => `${provider} verbinden`,
    body: (provider) =>
      `Melden Sie sich bei ${provider} mit dem Konto an, das Ihres hier öffnen soll. Von da an ist es eine weitere Art, sich anzumelden.`,
  },
  ja: {
    heading: (provider) => `${provider} を連携`,
    body: (provider) =>
      `こちらのアカウントに使う ${provider} アカウントでログインしてください。以後、ログイン方法の一つになります。`,
  },
  ar: {
    heading: (provider) => `ربط ${provider}`,
    body: (provider) =>
      `سجّل الدخول لدى ${provider} بالحساب الذي سيفتح حسابك هنا. ويصبح بعد ذلك طريقة أخرى لتسجيل الدخول.`,
  },
};
