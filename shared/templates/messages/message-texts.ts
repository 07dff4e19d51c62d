import type { Language } from '../language.ts';

interface MailTexts {
  readonly subject: string;
  readonly headerText: string;
  readonly bodyText: string;
  readonly infoText: string;
  readonly footerText: string;
}

interface MessageTexts {
  readonly link: (app: string, duration: string) => MailTexts;
  readonly code: (app: string, duration: string) => MailTexts;
  readonly linkText: string;
  /** Of a sign-up on the hosted pages. */
  readonly signUp: {
    readonly link: (app: string) => Partial<MailTexts>;
    readonly code: (app: string) => Partial<MailTexts>;
    readonly linkText: string;
  };
  /** Of a mail with both: between the code and the link, and how long each lives. */
  readonly orLink: string;
  readonly eitherOnce: (code: string, link: string) => string;
  /** Above the link as text, for mail programs that break the button. */
  readonly linkFallback: string;
  /** Above the list of approved data. */
  readonly approving: string;
  /** Replaces `code.bodyText` in an approval. */
  readonly approvalBody: string;
  /** The same where the code lets an address in again. */
  readonly letInBody: (app: string) => string;
  /** GSM letters only, except in Japanese: one other letter halves the capacity of a segment. */
  readonly sms: (app: string, code: string) => string;
}

export const messageTexts: Readonly<Record<Language, MessageTexts>> = {
  en: {
    link: (app, duration) => ({
      subject: `Sign in to ${app}`,
      headerText: `Sign in to ${app}`,
      bodyText: 'Use the button to sign in. You don’t need a password.',
      infoText: `The link works once and expires in ${duration}.`,
      footerText: 'If you didn’t ask for this email, you can safely ignore it.',
    }),
    code: (app, duration) => ({
      subject: `Your ${app} code`,
      headerText: 'Your sign-in code',
      bodyText: `Enter this code to sign in to ${app}:`,
      infoText: `The code works once and expires in ${duration}.`,
      footerText:
        'Never share this code: we will never ask you for it. If you didn’t ask for this email, you can safely ignore it.',
    }),
    linkText: 'Sign in',
    signUp: {
      link: (app) => ({
        subject: `Create your ${app} account`,
        headerText: `Create your ${app} account`,
        bodyText: `This address has no account at ${app} yet. Use the button to create one. You don’t need a password.`,
      }),
      code: (app) => ({
        headerText: 'Your sign-up code',
        bodyText: `This address has no account at ${app} yet. Enter this code to create one:`,
      }),
      linkText: 'Create account',
    },
    orLink: 'Or use the button, in the browser where you began:',
    eitherOnce: (code, link) =>
      `You need only one of them, and it works once. The code expires in ${code}, the button in ${link}.`,
    linkFallback: 'Button not working? Copy this address into your browser:',
    approving: 'You are approving',
    approvalBody: 'Check the details and enter this code only if you approve them.',
    letInBody: (app) =>
      `With this code your address opens your account at ${app} again. Enter it only if you want that:`,
    sms: (app, code) => `${code} is your ${app} code. Never share it with anyone.`,
  },
  es: {
    link: (app, duration) => ({
      subject: `Inicia sesión en ${app}`,
      headerText: `Inicia sesión en ${app}`,
      bodyText: 'Usa el botón para iniciar sesión. No necesitas contraseña.',
      infoText: `El enlace funciona una sola vez y caduca en ${duration}.`,
      footerText: 'Si no has pedido este correo, puedes ignorarlo.',
    }),
    code: (app, duration) => ({
      subject: `Tu código de ${app}`,
      headerText: 'Tu código de acceso',
      bodyText: `Introduce este código para iniciar sesión en ${app}:`,
      infoText: `El código funciona una sola vez y caduca en ${duration}.`,
      footerText:
        'No compartas este código con nadie: nunca te lo pediremos. Si no has pedido este correo, puedes ignorarlo.',
    }),
    linkText: 'Iniciar sesión',
    signUp: {
      link: (app) => ({
        subject: `Crea tu cuenta de ${app}`,
        headerText: `Crea tu cuenta de ${app}`,
        bodyText: `Esta dirección aún no tiene una cuenta en ${app}. Usa el botón para crearla. No necesitas contraseña.`,
      }),
      code: (app) => ({
        headerText: 'Tu código de registro',
        bodyText: `Esta dirección aún no tiene una cuenta en ${app}. Introduce este código para crearla:`,
      }),
      linkText: 'Crear cuenta',
    },
    orLink: 'O usa el botón, en el navegador donde empezaste:',
    eitherOnce: (code, link) =>
      `Solo necesitas uno de los dos, y funciona una sola vez. El código caduca en ${code}; el botón, en ${link}.`,
    linkFallback: '¿No funciona el botón? Copia esta dirección en tu navegador:',
    approving: 'Vas a aprobar',
    approvalBody: 'Comprueba los datos e introduce este código solo si los apruebas.',
    letInBody: (app) =>
      `Con este código tu dirección vuelve a abrir tu cuenta en ${app}. Introdúcelo solo si es lo que quieres:`,
    sms: (app, code) => `${code} es tu clave de ${app}. No la compartas con nadie.`,
  },
  fr: {
    link: (app, duration) => ({
      subject: `Connexion à ${app}`,
      headerText: `Connectez-vous à ${app}`,
      bodyText: 'Utilisez le bouton pour vous connecter. Aucun mot de passe n’est nécessaire.',
      infoText: `Ce lien ne fonctionne qu’une seule fois et expire dans ${duration}.`,
      footerText: 'Si vous n’avez pas demandé cet e-mail, vous pouvez l’ignorer.',
    }),
    code: (app, duration) => ({
      subject: `Votre code ${app}`,
      headerText: 'Votre code de connexion',
      bodyText: `Saisissez ce code pour vous connecter à ${app}\u00a0:`,
      infoText: `Ce code ne fonctionne qu’une seule fois et expire dans ${duration}.`,
      footerText:
        'Ne communiquez ce code à personne\u00a0: nous ne vous le demanderons jamais. Si vous n’avez pas demandé cet e-mail, vous pouvez l’ignorer.',
    }),
    linkText: 'Se connecter',
    signUp: {
      link: (app) => ({
        subject: `Créez votre compte ${app}`,
        headerText: `Créez votre compte ${app}`,
        bodyText: `Cette adresse n’a pas encore de compte ${app}. Utilisez le bouton pour en créer un. Aucun mot de passe n’est nécessaire.`,
      }),
      code: (app) => ({
        headerText: 'Votre code d’inscription',
        bodyText: `Cette adresse n’a pas encore de compte ${app}. Saisissez ce code pour en créer un\u00a0:`,
      }),
      linkText: 'Créer un compte',
    },
    orLink: 'Ou utilisez le bouton, dans le navigateur où vous avez commencé\u00a0:',
    eitherOnce: (code, link) =>
      `Un seul des deux suffit, une seule fois. Le code expire dans ${code}, le bouton dans ${link}.`,
    linkFallback: 'Le bouton ne fonctionne pas\u00a0? Copiez cette adresse dans votre navigateur\u00a0:',
    approving: 'Vous approuvez',
    approvalBody: 'Vérifiez les détails et ne saisissez ce code que si vous les approuvez.',
    letInBody: (app) =>
      `Avec ce code, votre adresse ouvre de nouveau votre compte chez ${app}. Ne le saisissez que si vous le voulez\u00a0:`,
    sms: (app, code) => `${code} est votre code ${app}. Ne le communiquez à personne.`,
  },
  de: {
    link: (app, duration) => ({
      subject: `Bei ${app} anmelden`,
      headerText: `Bei ${app} anmelden`,
      bodyText: 'Melden Sie sich mit der Schaltfläche an. Ein Passwort brauchen Sie nicht.',
      infoText: `Der Link funktioniert nur einmal und läuft in ${duration} ab.`,
      footerText: 'Wenn Sie diese E-Mail nicht angefordert haben, können Sie sie ignorieren.',
    }),
    code: (app, duration) => ({
      subject: `Ihr Code für ${app}`,
      headerText: 'Ihr Anmeldecode',
      bodyText: `Geben Sie diesen Code ein, um sich bei ${app} anzumelden:`,
      infoText: `Der Code funktioniert nur einmal und läuft in ${duration} ab.`,
      footerText:
        'Geben Sie den Code nicht weiter: Wir fragen nie danach. Wenn Sie diese E-Mail nicht angefordert haben, können Sie sie ignorieren.',
    }),
    linkText: 'Anmelden',
    signUp: {
      link: (app) => ({
        subject: `Ihr Konto bei ${app}`,
        headerText: `Ihr Konto bei ${app}`,
        bodyText: `Diese Adresse hat bei ${app} noch kein Konto. Mit der Schaltfläche erstellen Sie eins. Ein Passwort brauchen Sie nicht.`,
      }),
      code: (app) => ({
        headerText: 'Ihr Registrierungscode',
        bodyText: `Diese Adresse hat bei ${app} noch kein Konto. Geben Sie diesen Code ein, um eins zu erstellen:`,
      }),
      linkText: 'Konto erstellen',
    },
    orLink: 'Oder nutzen Sie die Schaltfläche in dem Browser, in dem Sie begonnen haben:',
    eitherOnce: (code, link) =>
      `Eins von beiden genügt, und es funktioniert einmal. Der Code läuft in ${code} ab, die Schaltfläche in ${link}.`,
    linkFallback: 'Die Schaltfläche funktioniert nicht? Kopieren Sie diese Adresse in Ihren Browser:',
    approving: 'Sie bestätigen',
    approvalBody: 'Prüfen Sie die Angaben und geben Sie den Code nur ein, wenn Sie ihnen zustimmen.',
    letInBody: (app) =>
      `Mit diesem Code öffnet Ihre Adresse Ihr Konto bei ${app} wieder. Geben Sie ihn nur ein, wenn Sie das möchten:`,
    sms: (app, code) => `${code} ist Ihr Code für ${app}. Geben Sie ihn nicht weiter.`,
  },
  ja: {
    link: (app, duration) => ({
      subject: `${app} へのログイン`,
      headerText: `${app} にログイン`,
      bodyText: '下のボタンからログインできます。パスワードは必要ありません。',
      infoText: `このリンクは1回のみ有効で、${duration}後に期限が切れます。`,
      footerText: 'このメールにお心当たりがない場合は、破棄してください。',
    }),
    code: (app, duration) => ({
      subject: `${app} の認証コード`,
      headerText: '認証コード',
      bodyText: `${app} にログインするには、次のコードを入力してください。`,
      infoText: `このコードは1回のみ有効で、${duration}後に期限が切れます。`,
      footerText:
        'このコードを他の人に教えないでください。当社からお尋ねすることはありません。このメールにお心当たりがない場合は、破棄してください。',
    }),
    linkText: 'ログイン',
    signUp: {
      link: (app) => ({
        subject: `${app} のアカウント作成`,
        headerText: `${app} のアカウント作成`,
        bodyText: `このアドレスには ${app} のアカウントがまだありません。下のボタンから作成できます。パスワードは必要ありません。`,
      }),
      code: (app) => ({
        headerText: '登録用コード',
        bodyText: `このアドレスには ${app} のアカウントがまだありません。作成するには、次のコードを入力してください。`,
      }),
      linkText: 'アカウントを作成',
    },
    orLink: 'または、操作を始めたブラウザで次のボタンを押してください。',
    eitherOnce: (code, link) =>
      `どちらか一方を1回のみ使えます。コードは${code}後、ボタンは${link}後に期限が切れます。`,
    linkFallback: 'ボタンが使えない場合は、次のアドレスをブラウザに貼り付けてください。',
    approving: '承認する内容',
    approvalBody: '内容を確認し、承認する場合のみコードを入力してください。',
    letInBody: (app) =>
      `このコードを入力すると、このアドレスで再び ${app} のアカウントにログインできるようになります。希望する場合のみ入力してください。`,
    sms: (app, code) => `${code}は${app}の認証コードです。他人に教えないでください。`,
  },
  ar: {
    link: (app, duration) => ({
      subject: `تسجيل الدخول إلى ${app}`,
      headerText: `تسجيل الدخول إلى ${app}`,
      bodyText: 'استخدم الزر لتسجيل الدخول. لا تحتاج إلى كلمة مرور.',
      infoText: `يعمل الرابط مرة واحدة وتنتهي صلاحيته بعد ${duration}.`,
      footerText: 'إذا لم تطلب هذه الرسالة، فيمكنك تجاهلها بأمان.',
    }),
    code: (app, duration) => ({
      subject: `رمزك في ${app}`,
      headerText: 'رمز تسجيل الدخول',
      bodyText: `أدخل هذا الرمز لتسجيل الدخول إلى ${app}:`,
      infoText: `يعمل الرمز مرة واحدة وتنتهي صلاحيته بعد ${duration}.`,
      footerText:
        'لا تشارك هذا الرمز مع أي شخص: لن نطلبه منك أبدًا. إذا لم تطلب هذه الرسالة، فيمكنك تجاهلها بأمان.',
    }),
    linkText: 'تسجيل الدخول',
    signUp: {
      link: (app) => ({
        subject: `إنشاء حسابك في ${app}`,
        headerText: `إنشاء حسابك في ${app}`,
        bodyText: `ليس لهذا العنوان حساب في ${app} بعد. استخدم الزر لإنشاء حساب. لا تحتاج إلى كلمة مرور.`,
      }),
      code: (app) => ({
        headerText: 'رمز إنشاء الحساب',
        bodyText: `ليس لهذا العنوان حساب في ${app} بعد. أدخل هذا الرمز لإنشاء حساب:`,
      }),
      linkText: 'إنشاء حساب',
    },
    orLink: 'أو استخدم الزر في المتصفح الذي بدأت فيه:',
    eitherOnce: (code, link) =>
      `يكفيك أحدهما، ويعمل مرة واحدة. تنتهي صلاحية الرمز بعد ${code}، والزر بعد ${link}.`,
    linkFallback: 'الزر لا يعمل؟ انسخ هذا العنوان إلى متصفحك:',
    approving: 'أنت توافق على',
    approvalBody: 'تحقّق من التفاصيل ولا تُدخل هذا الرمز إلا إذا كنت توافق عليها.',
    letInBody: (app) => `بهذا الرمز يفتح عنوانك حسابك لدى ${app} من جديد. لا تُدخله إلا إذا كنت تريد ذلك:`,
    sms: (app, code) => `${code} هو رمزك في ${app}. لا تشاركه مع أحد.`,
  },
};
