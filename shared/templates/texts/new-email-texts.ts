import type { Language } from '../language.ts';

interface Way {
  readonly body: string;
  readonly button: string;
}

interface NewEmailTexts {
  readonly heading: string;
  readonly byCode: Way;
  readonly byLink: Way;
  readonly told: string;
}

/** The page where a user gives another email address. */
export const newEmailTexts: Readonly<Record<Language, NewEmailTexts>> = {
  en: {
    heading: 'Your new email address',
    byCode: { body: 'We send a code there.', button: 'Send a code' },
    byLink: { body: 'We send a link there.', button: 'Send a link' },
    told: 'A former address is told, and can undo the change for 7 days.',
  },
  es: {
    heading: 'Tu nueva dirección de correo',
    byCode: { body: 'Enviamos allí un código.', button: 'Enviar un código' },
    byLink: { body: 'Enviamos allí un enlace.', button: 'Enviar un enlace' },
    told: 'Avisamos a la dirección anterior, que puede deshacer el cambio durante 7 días.',
  },
  fr: {
    heading: 'Votre nouvelle adresse e-mail',
    byCode: { body: 'Nous y envoyons un code.', button: 'Envoyer un code' },
    byLink: { body: 'Nous y envoyons un lien.', button: 'Envoyer un lien' },
    told: 'L’ancienne adresse est prévenue et peut annuler le changement pendant 7 jours.',
  },
  de: {
    heading: 'Ihre neue E-Mail-Adresse',
    byCode: { body: 'Wir senden dorthin einen Code.', button: 'Code senden' },
    byLink: { body: 'Wir senden dorthin einen Link.', button: 'Link senden' },
    told: 'Die bisherige Adresse erfährt davon und kann es 7 Tage lang rückgängig machen.',
  },
  ja: {
    heading: '新しいメールアドレス',
    byCode: { body: '新しいアドレスにコードを送信します。', button: 'コードを送信' },
    byLink: { body: '新しいアドレスにリンクを送信します。', button: 'リンクを送信' },
    told: '以前のアドレスにも通知し、7日間は変更を取り消せます。',
  },
  ar: {
    heading: 'عنوان بريدك الإلكتروني الجديد',
    byCode: { body: 'نرسل رمزًا إليه.', button: 'إرسال رمز' },
    byLink: { body: 'نرسل رابطًا إليه.', button: 'إرسال رابط' },
    told: 'ونُعلم العنوان السابق، ويمكن منه التراجع عن التغيير خلال 7 أيام.',
  },
};
