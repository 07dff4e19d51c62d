import type { DeadEnd } from './dead-ends.ts';

/** A bundle holds the ends that its errors lead to; see entry.ts. */

export const requestWrong: DeadEnd = {
  key: 'request_wrong',
  en: {
    heading: 'This page can’t be opened this way',
    body: 'The app or website that sent you here made a mistake in its request.',
    hint: 'Go back to it and try again.',
  },
  es: {
    heading: 'Esta página no se puede abrir así',
    body: 'La aplicación o el sitio web que te ha traído aquí ha cometido un error en su solicitud.',
    hint: 'Vuelve allí e inténtalo de nuevo.',
  },
  fr: {
    heading: 'Cette page ne peut pas être ouverte ainsi',
    body: 'L’application ou le site qui vous a envoyé ici a fait une erreur dans sa demande.',
    hint: 'Retournez-y et réessayez.',
  },
  de: {
    heading: 'Diese Seite lässt sich so nicht öffnen',
    body: 'Die App oder Website, die Sie hierher geschickt hat, hat in ihrer Anfrage einen Fehler gemacht.',
    hint: 'Gehen Sie dorthin zurück und versuchen Sie es erneut.',
  },
  ja: {
    heading: 'このページは開けません',
    body: '移動元のアプリまたはウェブサイトからのリクエストに誤りがあります。',
    hint: '移動元に戻り、もう一度お試しください。',
  },
  ar: {
    heading: 'لا يمكن فتح هذه الصفحة بهذه الطريقة',
    body: 'ارتكب التطبيق أو الموقع الذي أرسلك إلى هنا خطأً في طلبه.',
    hint: 'ارجع إليه وحاول مرة أخرى.',
  },
};

export const redirectNotAllowed: DeadEnd = {
  key: 'redirect_not_allowed',
  en: {
    heading: 'We can’t take you back from here',
    body: 'The address that you would have been taken to isn’t one that this app has registered. To protect you, we stop here.',
    hint: 'Go back to the app or website and try again.',
  },
  es: {
    heading: 'No podemos llevarte de vuelta desde aquí',
    body: 'La dirección a la que irías no está registrada para esta aplicación. Para protegerte, nos detenemos aquí.',
    hint: 'Vuelve a la aplicación o al sitio web e inténtalo de nuevo.',
  },
  fr: {
    heading: 'Nous ne pouvons pas vous ramener d’ici',
    body: 'L’adresse vers laquelle vous seriez dirigé n’est pas enregistrée pour cette application. Pour vous protéger, nous nous arrêtons ici.',
    hint: 'Retournez dans l’application ou sur le site et réessayez.',
  },
  de: {
    heading: 'Von hier können wir Sie nicht zurückleiten',
    body: 'Die Adresse, zu der Sie weitergeleitet würden, ist für diese App nicht registriert. Zu Ihrem Schutz halten wir hier an.',
    hint: 'Gehen Sie zurück zur App oder Website und versuchen Sie es erneut.',
  },
  ja: {
    heading: 'ここから元の場所に戻れません',
    body: '移動先のアドレスがこのアプリに登録されていません。安全のため、ここで停止しました。',
    hint: 'アプリまたはウェブサイトに戻り、もう一度お試しください。',
  },
  ar: {
    heading: 'لا يمكننا إعادتك من هنا',
    body: 'العنوان الذي كنت ستنتقل إليه ليس من العناوين التي سجّلها هذا التطبيق. نتوقف هنا لحمايتك.',
    hint: 'ارجع إلى التطبيق أو الموقع وحاول مرة أخرى.',
  },
};

export const hintBroken: DeadEnd = {
  key: 'hint_broken',
  en: {
    heading: 'You’re still signed in',
    body: 'The app or website asked to sign you out, but what it sent to name your sign-in is broken.',
    hint: 'Go back to it and sign out again.',
  },
  es: {
    heading: 'Tu sesión sigue abierta',
    body: 'La aplicación o el sitio web ha pedido cerrar tu sesión, pero los datos que ha enviado sobre ella no son correctos.',
    hint: 'Vuelve allí y cierra la sesión de nuevo.',
  },
  fr: {
    heading: 'Vous êtes toujours connecté',
    body: 'L’application ou le site a demandé votre déconnexion, mais ce qu’il a envoyé pour désigner votre connexion est incorrect.',
    hint: 'Retournez-y et déconnectez-vous à nouveau.',
  },
  de: {
    heading: 'Sie sind noch angemeldet',
    body: 'Die App oder Website wollte Sie abmelden. Was sie dazu über Ihre Anmeldung geschickt hat, ist aber fehlerhaft.',
    hint: 'Gehen Sie dorthin zurück und melden Sie sich erneut ab.',
  },
  ja: {
    heading: 'まだログインしたままです',
    body: 'アプリまたはウェブサイトからログアウトの要求がありましたが、ログインを示す情報に誤りがあります。',
    hint: '移動元に戻り、もう一度ログアウトしてください。',
  },
  ar: {
    heading: 'ما زلت مسجّل الدخول',
    body: 'طلب التطبيق أو الموقع تسجيل خروجك، لكن ما أرسله لتحديد تسجيل دخولك تالف.',
    hint: 'ارجع إليه وسجّل الخروج مرة أخرى.',
  },
};

export const notFound: DeadEnd = {
  key: 'not_found',
  en: {
    heading: 'There is nothing here',
    body: 'The address may be incomplete, or the page has moved.',
    hint: 'Check the address, or go back to the app or website that you came from.',
  },
  es: {
    heading: 'Aquí no hay nada',
    body: 'Puede que la dirección esté incompleta o que la página haya cambiado de sitio.',
    hint: 'Comprueba la dirección o vuelve a la aplicación o al sitio web del que vienes.',
  },
  fr: {
    heading: 'Il n’y a rien ici',
    body: 'L’adresse est peut-être incomplète, ou la page a été déplacée.',
    hint: 'Vérifiez l’adresse, ou retournez dans l’application ou sur le site d’où vous venez.',
  },
  de: {
    heading: 'Hier ist nichts',
    body: 'Vielleicht ist die Adresse unvollständig, oder die Seite ist umgezogen.',
    hint: 'Prüfen Sie die Adresse, oder gehen Sie zurück zur App oder Website, von der Sie kommen.',
  },
  ja: {
    heading: 'ページが見つかりません',
    body: 'アドレスが途中で切れているか、ページが移動した可能性があります。',
    hint: 'アドレスを確認するか、元のアプリまたはウェブサイトに戻ってください。',
  },
  ar: {
    heading: 'لا يوجد شيء هنا',
    body: 'قد يكون العنوان غير مكتمل، أو نُقلت الصفحة.',
    hint: 'تحقّق من العنوان، أو ارجع إلى التطبيق أو الموقع الذي أتيت منه.',
  },
};

export const linkUnknown: DeadEnd = {
  key: 'link_unknown',
  en: {
    heading: 'This link doesn’t work',
    body: 'It may be incomplete, or it was made too long ago.',
    hint: 'Open the app or website again and ask for a new link.',
  },
  es: {
    heading: 'Este enlace no funciona',
    body: 'Puede que esté incompleto o que sea demasiado antiguo.',
    hint: 'Vuelve a la aplicación o al sitio web y pide un enlace nuevo.',
  },
  fr: {
    heading: 'Ce lien ne fonctionne pas',
    body: 'Il est peut-être incomplet ou trop ancien.',
    hint: 'Retournez dans l’application ou sur le site et demandez un nouveau lien.',
  },
  de: {
    heading: 'Dieser Link funktioniert nicht',
    body: 'Vielleicht ist er unvollständig oder zu alt.',
    hint: 'Öffnen Sie die App oder Website noch einmal und fordern Sie einen neuen Link an.',
  },
  ja: {
    heading: 'このリンクは使えません',
    body: 'リンクが途中で切れているか、古すぎる可能性があります。',
    hint: 'アプリまたはウェブサイトをもう一度開き、新しいリンクを取得してください。',
  },
  ar: {
    heading: 'هذا الرابط لا يعمل',
    body: 'قد يكون غير مكتمل، أو مضى على إنشائه وقت طويل.',
    hint: 'افتح التطبيق أو الموقع مرة أخرى واطلب رابطًا جديدًا.',
  },
};

export const loginExpired: DeadEnd = {
  key: 'login_expired',
  en: {
    heading: 'This sign-in has expired',
    body: 'It took too long, or it is already complete.',
    hint: 'Go back to the app or website and sign in again.',
  },
  es: {
    heading: 'Este inicio de sesión ha caducado',
    body: 'Ha tardado demasiado o ya se ha completado.',
    hint: 'Vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
  },
  fr: {
    heading: 'Cette connexion a expiré',
    body: 'Elle a pris trop de temps ou elle est déjà terminée.',
    hint: 'Retournez dans l’application ou sur le site et connectez-vous à nouveau.',
  },
  de: {
    heading: 'Diese Anmeldung ist abgelaufen',
    body: 'Sie hat zu lange gedauert oder ist bereits abgeschlossen.',
    hint: 'Gehen Sie zurück zur App oder Website und melden Sie sich erneut an.',
  },
  ja: {
    heading: 'ログインの有効期限が切れました',
    body: '時間がかかりすぎたか、すでに完了しています。',
    hint: 'アプリまたはウェブサイトに戻り、もう一度ログインしてください。',
  },
  ar: {
    heading: 'انتهت صلاحية تسجيل الدخول هذا',
    body: 'استغرق وقتًا طويلًا، أو اكتمل بالفعل.',
    hint: 'ارجع إلى التطبيق أو الموقع وسجّل الدخول مرة أخرى.',
  },
};

export const wrongBrowser: DeadEnd = {
  key: 'wrong_browser',
  en: {
    heading: 'This sign-in belongs to another browser',
    body: 'It was started in another browser or on another device, and can only be completed there.',
    hint: 'Or go back to the app or website and start again in this browser.',
  },
  es: {
    heading: 'Este inicio de sesión es de otro navegador',
    body: 'Empezó en otro navegador o dispositivo, y solo se puede completar allí.',
    hint: 'También puedes volver a la aplicación o al sitio web y empezar de nuevo en este navegador.',
  },
  fr: {
    heading: 'Cette connexion vient d’un autre navigateur',
    body: 'Elle a commencé dans un autre navigateur ou sur un autre appareil et ne peut être terminée que là.',
    hint: 'Vous pouvez aussi retourner dans l’application ou sur le site et recommencer dans ce navigateur.',
  },
  de: {
    heading: 'Diese Anmeldung gehört zu einem anderen Browser',
    body: 'Sie wurde in einem anderen Browser oder auf einem anderen Gerät begonnen und kann nur dort abgeschlossen werden.',
    hint: 'Oder gehen Sie zurück zur App oder Website und beginnen Sie in diesem Browser neu.',
  },
  ja: {
    heading: '別のブラウザで開始されたログインです',
    body: '別のブラウザまたは端末で開始されたため、そちらでのみ完了できます。',
    hint: 'または、アプリやウェブサイトに戻り、このブラウザで最初からやり直してください。',
  },
  ar: {
    heading: 'تسجيل الدخول هذا يخص متصفحًا آخر',
    body: 'بدأ في متصفح آخر أو على جهاز آخر، ولا يمكن إكماله إلا هناك.',
    hint: 'أو ارجع إلى التطبيق أو الموقع وابدأ من جديد في هذا المتصفح.',
  },
};

export const codeElsewhere: DeadEnd = {
  key: 'code_elsewhere',
  en: {
    heading: 'Enter the code where you began',
    body: 'This sign-in was started in another browser or on another device. Enter the code from the email on that screen.',
    hint: 'Or go back to the app or website and start again in this browser.',
  },
  es: {
    heading: 'Introduce el código donde empezaste',
    body: 'Este inicio de sesión empezó en otro navegador o dispositivo. Introduce en esa pantalla el código del correo.',
    hint: 'También puedes volver a la aplicación o al sitio web y empezar de nuevo en este navegador.',
  },
  fr: {
    heading: 'Saisissez le code là où vous avez commencé',
    body: 'Cette connexion a commencé dans un autre navigateur ou sur un autre appareil. Saisissez sur cet écran-là le code reçu par e-mail.',
    hint: 'Vous pouvez aussi retourner dans l’application ou sur le site et recommencer dans ce navigateur.',
  },
  de: {
    heading: 'Geben Sie den Code dort ein, wo Sie begonnen haben',
    body: 'Diese Anmeldung wurde in einem anderen Browser oder auf einem anderen Gerät begonnen. Geben Sie dort den Code aus der E-Mail ein.',
    hint: 'Oder gehen Sie zurück zur App oder Website und beginnen Sie in diesem Browser neu.',
  },
  ja: {
    heading: '操作を始めた画面でコードを入力してください',
    body: 'このログインは別のブラウザまたは端末で開始されました。そちらの画面に、メールのコードを入力してください。',
    hint: 'または、アプリやウェブサイトに戻り、このブラウザで最初からやり直してください。',
  },
  ar: {
    heading: 'أدخل الرمز حيث بدأت',
    body: 'بدأ تسجيل الدخول هذا في متصفح آخر أو على جهاز آخر. أدخل هناك الرمز الموجود في الرسالة.',
    hint: 'أو ارجع إلى التطبيق أو الموقع وابدأ من جديد في هذا المتصفح.',
  },
};

export const cookiesNeeded: DeadEnd = {
  key: 'cookies_needed',
  en: {
    heading: 'Cookies are needed',
    body: 'Your browser blocks cookies here, so we can’t tell that it’s still you.',
    hint: 'Allow cookies for this site, then go back to the app or website and sign in again.',
  },
  es: {
    heading: 'Se necesitan cookies',
    body: 'Tu navegador bloquea aquí las cookies, así que no podemos saber que sigues siendo tú.',
    hint: 'Permite las cookies de este sitio, vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
  },
  fr: {
    heading: 'Les cookies sont nécessaires',
    body: 'Votre navigateur bloque ici les cookies : nous ne pouvons pas savoir que c’est toujours vous.',
    hint: 'Autorisez les cookies pour ce site, puis retournez dans l’application ou sur le site et connectez-vous à nouveau.',
  },
  de: {
    heading: 'Cookies werden benötigt',
    body: 'Ihr Browser blockiert hier Cookies. Deshalb können wir nicht erkennen, ob Sie es noch sind.',
    hint: 'Erlauben Sie Cookies für diese Website, gehen Sie zurück zur App oder Website und melden Sie sich erneut an.',
  },
  ja: {
    heading: 'Cookieが必要です',
    body: 'ブラウザでCookieがブロックされているため、ご本人の操作か確認できません。',
    hint: 'このサイトのCookieを許可してから、アプリまたはウェブサイトに戻り、もう一度ログインしてください。',
  },
  ar: {
    heading: 'ملفات تعريف الارتباط مطلوبة',
    body: 'يحظر متصفحك ملفات تعريف الارتباط هنا، لذلك لا يمكننا التأكد من أنك ما زلت أنت.',
    hint: 'اسمح بملفات تعريف الارتباط لهذا الموقع، ثم ارجع إلى التطبيق أو الموقع وسجّل الدخول مرة أخرى.',
  },
};

export const rateLimited: DeadEnd = {
  key: 'rate_limited',
  en: {
    heading: 'Too many requests',
    body: 'There were too many attempts from your network in a short time.',
    hint: 'Wait a minute and try again.',
  },
  es: {
    heading: 'Demasiadas solicitudes',
    body: 'Ha habido demasiados intentos desde tu red en poco tiempo.',
    hint: 'Espera un minuto e inténtalo de nuevo.',
  },
  fr: {
    heading: 'Trop de demandes',
    body: 'Il y a eu trop de tentatives depuis votre réseau en peu de temps.',
    hint: 'Attendez une minute et réessayez.',
  },
  de: {
    heading: 'Zu viele Anfragen',
    body: 'Aus Ihrem Netzwerk kamen in kurzer Zeit zu viele Versuche.',
    hint: 'Warten Sie eine Minute und versuchen Sie es erneut.',
  },
  ja: {
    heading: 'リクエストが多すぎます',
    body: 'お使いのネットワークから短時間に多くのアクセスがありました。',
    hint: '1分ほど待ってから、もう一度お試しください。',
  },
  ar: {
    heading: 'طلبات كثيرة جدًا',
    body: 'كانت هناك محاولات كثيرة جدًا من شبكتك خلال وقت قصير.',
    hint: 'انتظر دقيقة وحاول مرة أخرى.',
  },
};

export const serverError: DeadEnd = {
  key: 'server_error',
  en: {
    heading: 'Something went wrong',
    body: 'It’s our fault, not yours.',
    hint: 'Wait a moment, then go back to the app or website and sign in again.',
  },
  es: {
    heading: 'Algo ha salido mal',
    body: 'El fallo es nuestro, no tuyo.',
    hint: 'Espera un momento, vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
  },
  fr: {
    heading: 'Une erreur est survenue',
    body: 'Le problème vient de nous, pas de vous.',
    hint: 'Attendez un instant, puis retournez dans l’application ou sur le site et connectez-vous à nouveau.',
  },
  de: {
    heading: 'Etwas ist schiefgegangen',
    body: 'Der Fehler liegt bei uns, nicht bei Ihnen.',
    hint: 'Warten Sie einen Moment, gehen Sie zurück zur App oder Website und melden Sie sich erneut an.',
  },
  ja: {
    heading: '問題が発生しました',
    body: 'サービス側の問題です。',
    hint: 'しばらく待ってから、アプリまたはウェブサイトに戻り、もう一度ログインしてください。',
  },
  ar: {
    heading: 'حدث خطأ ما',
    body: 'الخطأ من جانبنا وليس من جانبك.',
    hint: 'انتظر لحظة، ثم ارجع إلى التطبيق أو الموقع وسجّل الدخول مرة أخرى.',
  },
};
