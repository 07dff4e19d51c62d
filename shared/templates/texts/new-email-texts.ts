import type { Language } from '../language.ts';

interface NewEmailTexts {
  readonly heading: string;
  readonly body: string;
  readonly button: string;
}

/** The page where a user gives another email address. */
export const newEmailTexts: Readonly<Record<Language, NewEmailTexts>> = {
  en: {
    heading: 'Your new email address',
    body: 'We send a code there. A former address is told, and can undo the change for 7 days.',
    button: 'Send a code',
  },
  es: {
    heading: 'Tu nueva dirección de correo',
    body: 'Enviamos allí un código. Avisamos a la dirección anterior, que puede deshacer el cambio durante 7 días.',
    button: 'Enviar un código',
  },
  fr: {
    heading: 'Votre nouvelle adresse e-mail',
    body: 'Nous y envoyons un code. L’ancienne adresse est prévenue et peut annuler le changement pendant 7 jours.',
    button: 'Envoyer un code',
  },
  de: {
    heading: 'Ihre neue E-Mail-Adresse',
    body: 'Wir senden dorthin einen Code. Die bisherige Adresse erfährt davon und kann es 7 Tage lang rückgängig machen.',
    button: 'Code senden',
  },
  ja: {
    heading: '新しいメールアドレス',
    body: '新しいアドレスにコードを送信します。以前のアドレスにも通知し、7日間は変更を取り消せます。',
    button: 'コードを送信',
  },
  ar: {
    heading: 'عنوان بريدك الإلكتروني الجديد',
    body: 'نرسل رمزًا إليه. ونُعلم العنوان السابق، ويمكن منه التراجع عن التغيير خلال 7 أيام.',
    button: 'إرسال رمز',
  },
};
