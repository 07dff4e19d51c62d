import type { Language } from '../language.ts';

interface LossTexts {
  readonly heading: string;
  readonly body: (since: string, kinds: string, from: string) => string;
  readonly stop: string;
  readonly tip: string;
  readonly social: string;
}

/** Shows a login what was said to be lost, or reported to be at risk. */
export const lossTexts: Readonly<Record<Language, LossTexts>> = {
  en: {
    heading: 'Something was said to be lost',
    body: (since, kinds, from) =>
      `On ${since}, these ways to sign in to your account were said to be lost or at risk: ${kinds}. From ${from} on they are no longer asked for.`,
    stop: 'Stop it',
    tip: 'Wasn’t that you? Then stop it: they are asked for as before.',
    social: 'Connected accounts',
  },
  es: {
    heading: 'Se ha dado algo por perdido',
    body: (since, kinds, from) =>
      `El ${since} se dijo que estas formas de iniciar sesión en tu cuenta se han perdido o corren riesgo: ${kinds}. A partir del ${from} ya no se piden.`,
    stop: 'Detenerlo',
    tip: '¿No has sido tú? Entonces detenlo: se piden como antes.',
    social: 'Cuentas conectadas',
  },
  fr: {
    heading: 'Quelque chose a été signalé comme perdu',
    body: (since, kinds, from) =>
      `Le ${since}, ces moyens de connexion à votre compte ont été signalés comme perdus ou menacés\u00a0: ${kinds}. À partir du ${from}, ils ne seront plus demandés.`,
    stop: 'L’arrêter',
    tip: 'Ce n’était pas vous\u00a0? Arrêtez-le alors\u00a0: ils sont demandés comme avant.',
    social: 'Comptes associés',
  },
  de: {
    heading: 'Etwas wurde als verloren gemeldet',
    body: (since, kinds, from) =>
      `Am ${since} wurden diese Anmeldewege Ihres Kontos als verloren oder gefährdet gemeldet: ${kinds}. Ab ${from} wird nicht mehr danach gefragt.`,
    stop: 'Stoppen',
    tip: 'Waren Sie das nicht? Dann stoppen Sie es: Es wird danach gefragt wie zuvor.',
    social: 'Verbundene Konten',
  },
  ja: {
    heading: '紛失の申請があります',
    body: (since, kinds, from) =>
      `${since} に、アカウントの次のログイン方法を紛失した、または危険があるとの申請がありました：${kinds}。${from} 以降は、その方法での確認を求めません。`,
    stop: '中止する',
    tip: 'お心当たりがない場合は中止してください。これまでどおり確認を求めます。',
    social: '連携アカウント',
  },
  ar: {
    heading: 'قيل إن شيئًا ما فُقد',
    body: (since, kinds, from) =>
      `في ${since} قيل إن طرق تسجيل الدخول هذه إلى حسابك فُقدت أو في خطر: ${kinds}. ابتداءً من ${from} لن تُطلب بعد الآن.`,
    stop: 'إيقاف ذلك',
    tip: 'ألم تكن أنت؟ أوقف ذلك إذًا: تُطلب كما في السابق.',
    social: 'حسابات مرتبطة',
  },
};
