import type { Language } from '../language.ts';

/** Of a notice with a link to the account page. The last sentences hold against mails that imitate it. */
export const accountLinkTexts: Readonly<
  Record<Language, { readonly linkText: string; readonly footerText: (app: string, host: string) => string }>
> = {
  en: {
    linkText: 'Look at your account',
    footerText: (app, host) =>
      `If this was you, there is nothing to do. If not, look at your account and contact ${app} in the way you usually do. The link of this email leads to ${host} and nowhere else. We never ask you to tell anyone a code.`,
  },
  es: {
    linkText: 'Ver tu cuenta',
    footerText: (app, host) =>
      `Si has sido tú, no tienes que hacer nada. Si no, revisa tu cuenta y contacta con ${app} como sueles hacerlo. El enlace de este correo lleva a ${host} y a ningún otro sitio. Nunca te pedimos que des un código a nadie.`,
  },
  fr: {
    linkText: 'Voir votre compte',
    footerText: (app, host) =>
      `Si c’était vous, vous n’avez rien à faire. Sinon, vérifiez votre compte et contactez ${app} comme vous en avez l’habitude. Le lien de cet e-mail mène à ${host} et nulle part ailleurs. Nous ne vous demandons jamais de communiquer un code.`,
  },
  de: {
    linkText: 'Ihr Konto ansehen',
    footerText: (app, host) =>
      `Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, sehen Sie sich Ihr Konto an und wenden Sie sich auf dem gewohnten Weg an ${app}. Der Link in dieser E-Mail führt zu ${host} und nirgendwo anders hin. Wir bitten Sie nie, einen Code weiterzugeben.`,
  },
  ja: {
    linkText: 'アカウントを確認する',
    footerText: (app, host) =>
      `ご本人による操作であれば、対応は不要です。お心当たりがない場合は、アカウントを確認し、通常の方法で ${app} にご連絡ください。このメールのリンク先は ${host} のみです。認証コードを他人に伝えるようお願いすることはありません。`,
  },
  ar: {
    linkText: 'عرض حسابك',
    footerText: (app, host) =>
      `إذا كنت أنت، فلا يلزمك فعل شيء. وإلا فراجع حسابك وتواصل مع ${app} بالطريقة المعتادة. يؤدي رابط هذه الرسالة إلى ${host} دون غيره. لا نطلب منك أبدًا إعطاء أي رمز لأحد.`,
  },
};
