import type { LoginTexts } from './login-texts.ts';

export const es: LoginTexts = {
  continueButton: 'Continuar',
  or: 'o',
  errorTitle: (title) => `Error: ${title}`,

  signInHeading: (app) => `Inicia sesión en ${app}`,
  fieldLabel: {
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    either: 'Correo electrónico o teléfono',
  },
  phoneHint: 'Los teléfonos empiezan con + y el prefijo del país, por ejemplo +34.',
  sendCodeByEmail: 'Recibir un código por correo',
  sendCodeBySms: 'Recibir un código por SMS',
  sendLink: 'Recibir un enlace por correo',
  usePasskey: 'Usar una llave de acceso',
  passkeyCancelled: 'No se ha usado ninguna llave de acceso. Inténtalo de nuevo o elige otra forma.',
  passkeyInvalid: 'Esa llave de acceso no sirve aquí. Elige otra, u otra forma de iniciar sesión.',
  passkeyUnsupported: 'Este navegador no admite llaves de acceso. Elige otra forma.',
  passkeyNeedsScript:
    'Las llaves de acceso necesitan JavaScript, que está desactivado en este navegador. Elige otra forma.',
  registerHeading: 'Crea una llave de acceso',
  registerBody: (app) =>
    `La próxima vez, inicia sesión en ${app} con tu huella, tu cara o el bloqueo de pantalla. Sin códigos y sin nada que recordar.`,
  registerButton: 'Crear una llave de acceso',
  registerLater: 'Ahora no',
  registerBack: 'Cancelar',
  registerCancelled: 'No se ha creado ninguna llave de acceso. Inténtalo de nuevo o continúa sin ella.',
  registerExists: 'Este dispositivo ya tiene una llave de acceso para ti.',
  passkeyNotSaved: 'No se ha podido guardar la llave de acceso. Inténtalo de nuevo o continúa sin ella.',
  approvalHeading: 'Comprueba lo que apruebas',
  approvalTip: '¿No es lo que esperabas? Cierra esta página.',
  continueWith: (provider) => `Continuar con ${provider}`,

  checkEmailHeading: 'Revisa tu correo',
  checkPhoneHeading: 'Revisa tu teléfono',
  codeOnItsWay: (toHtml) => `Si existe una cuenta para ${toHtml}, recibirás un código enseguida.`,
  linkOnItsWay: (toHtml) => `Si existe una cuenta para ${toHtml}, recibirás un enlace enseguida.`,
  codeSent: (toHtml) => `Hemos enviado un código a ${toHtml}.`,
  linkSent: (toHtml) => `Hemos enviado un enlace a ${toHtml}.`,
  codeLabel: 'Código',
  codeFormat: 'El código solo tiene cifras.',
  codeTip: 'No compartas este código con nadie: nunca te lo pediremos.',
  linkTip: 'Ábrelo en este navegador. Puede tardar un minuto; mira también en la carpeta de spam.',
  resendCode: 'Enviar otro código',
  resendLink: 'Enviar otro enlace',
  resendWait: (time) => `Disponible en ${time}`,
  resendReady: 'Ya puedes pedir otro.',
  changeIdentifier: 'Usar otro correo o teléfono',
  changeMethod: 'Probar de otra forma',

  secondFactorHeading: 'Confirma que eres tú',
  secondFactorBody: 'Un paso más para proteger tu cuenta. ¿Cómo quieres confirmarlo?',
  secondFactorForPasskey: 'Para añadir una llave de acceso, confirma que eres tú. ¿Cómo quieres confirmarlo?',
  wakingBody:
    'Esta forma de iniciar sesión está en pausa desde que se confirmó tu dirección. Confírmalo una vez más y volverá a funcionar.',
  codeByEmail: 'Código por correo',
  codeBySms: 'Código por SMS',
  linkByEmail: 'Enlace por correo',
  passkey: 'Llave de acceso',

  phoneHeading: 'Añade tu número de teléfono',
  phoneBody: (app) =>
    `${app} necesita un número de teléfono. Te enviaremos un código por SMS para confirmar que es tuyo.`,

  signOutHeading: (app) => `¿Cerrar sesión en ${app}?`,
  signOutBody: 'Se cerrará tu sesión en este navegador.',
  signOutButton: 'Cerrar sesión',
  signOutTip: '¿No querías cerrar sesión? Cierra esta página.',
  signedOutHeading: 'Has cerrado sesión',
  signedOutBody: 'Ya puedes cerrar esta página.',

  formPostHeading: 'Un momento…',
  formPostBody: 'Estás volviendo a la aplicación. Si no pasa nada, pulsa el botón.',

  identifierInvalid: {
    email: 'Introduce un correo electrónico válido.',
    phone: 'Introduce un número de teléfono válido con el prefijo del país.',
    either: 'Introduce un correo electrónico válido o un teléfono con el prefijo del país.',
  },
  methodUnavailable: 'Esta forma de acceso no está disponible. Elige otra.',
  sendFailed: 'No se ha podido enviar el mensaje. Inténtalo de nuevo o elige otra forma.',
  codeWrong: 'El código no es correcto. Compruébalo e inténtalo de nuevo.',
  codeExpired: 'El código ha caducado. Pide otro.',
  codesOff: 'Por ahora los códigos no funcionan aquí. Elige otra forma o pide ayuda.',
  formExpired: 'Esta página ha estado abierta demasiado tiempo. Inténtalo de nuevo.',
  providerFailed: 'No ha funcionado o se ha cancelado. Inténtalo de nuevo o elige otra forma.',
  accountExists: 'Ya tienes una cuenta con esta dirección de correo. Inicia sesión de otra forma.',
  accountUnknown: 'No hay ninguna cuenta para este inicio de sesión. Elige otra forma.',
  rateLimited: (wait) => `Demasiadas solicitudes. Inténtalo de nuevo en ${wait}.`,
  locked: (wait) => `Demasiados códigos incorrectos. Inténtalo de nuevo en ${wait}.`,

  deadEnds: {
    login_expired: {
      heading: 'Este inicio de sesión ha caducado',
      body: 'Ha tardado demasiado o ya se ha completado.',
      hint: 'Vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
    },
    wrong_browser: {
      heading: 'Este inicio de sesión es de otro navegador',
      body: 'Empezó en otro navegador o dispositivo, y solo se puede completar allí.',
      hint: 'También puedes volver a la aplicación o al sitio web y empezar de nuevo en este navegador.',
    },
    request_spent: {
      heading: 'Esta página ya se ha usado',
      body: 'Cada página de acceso se abre una sola vez.',
      hint: 'Vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
    },
    cookies_needed: {
      heading: 'Se necesitan cookies',
      body: 'Tu navegador bloquea aquí las cookies, así que no podemos saber que sigues siendo tú.',
      hint: 'Permite las cookies de este sitio, vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
    },
    rate_limited: {
      heading: 'Demasiadas solicitudes',
      body: 'Ha habido demasiados intentos desde tu red en poco tiempo.',
      hint: 'Espera un minuto e inténtalo de nuevo.',
    },
    server_error: {
      heading: 'Algo ha salido mal',
      body: 'El fallo es nuestro, no tuyo.',
      hint: 'Espera un momento, vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
    },
  },
};
