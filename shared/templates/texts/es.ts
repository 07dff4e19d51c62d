export const ownName = 'Español';

export const footerTexts = {
  help: 'Ayuda',
  terms: 'Condiciones',
  privacy: 'Privacidad',
  language: 'Idioma',
};

export const loginTexts = {
  continueButton: 'Continuar',
  back: 'Atrás',
  cancelLogin: 'Cancelar y volver a {app}',
  or: 'o',
  moreWays: 'Más formas',
  errorTitle: 'Error: {title}',

  signInHeading: 'Inicia sesión en {app}',
  approveHeading: 'Inicia sesión para aprobar',
  signUpHeading: 'Regístrate en {app}',
  signUpHint: '¿Ya tienes una cuenta? Los mismos pasos sirven para iniciar sesión.',
  fieldLabel: {
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    either: 'Correo electrónico o teléfono',
  },
  countryLabel: 'País',
  countryNone: 'Elige un país',
  countryHint: '¿Un número de otro país? Empieza por + y el prefijo del país.',
  countryHeading: '¿De qué país es tu número?',
  sendCodeBySms: 'Recibir un código por SMS',
  sendLink: 'Recibir un enlace por correo',
  usePasskey: 'Usar una llave de acceso',
  passkeyCancelled: 'No se ha usado ninguna llave de acceso. Inténtalo de nuevo o elige otra forma.',
  passkeyExpired: 'Ha pasado demasiado tiempo. Usa tu llave de acceso otra vez.',
  passkeyInvalid: 'Esa llave de acceso no sirve aquí. Elige otra, u otra forma de iniciar sesión.',
  passkeyUnsupported: 'Este navegador no admite llaves de acceso. Elige otra forma.',
  passkeyNeedsScript:
    'Las llaves de acceso necesitan JavaScript, que está desactivado en este navegador. Elige otra forma.',
  registerHeading: 'Añade una llave de acceso',
  registerBody: 'La próxima vez, inicia sesión en {app} con tu huella, tu cara o el bloqueo de pantalla.',
  factorNeeded: '{app} pide una segunda forma de confirmar que eres tú.',
  registerButton: 'Añadir una llave de acceso',
  registerLater: 'Ahora no',
  cannotGiveFactor: 'No puedo usar ninguno de estos',
  registerBack: 'Cancelar',
  registerCancelled: 'No se ha creado ninguna llave de acceso. Inténtalo de nuevo o continúa sin ella.',
  registerExists: 'Este dispositivo ya tiene una llave de acceso para ti.',
  passkeyNotSaved: 'No se ha podido guardar la llave de acceso. Inténtalo de nuevo o continúa sin ella.',
  approvalHeading: 'Comprueba lo que apruebas',
  approvalTip: '¿No es lo que esperabas? Cierra esta página.',
  continueWith: 'Continuar con {provider}',
  logInWith: 'Iniciar sesión con {provider}',

  checkEmailHeading: 'Revisa tu correo',
  checkPhoneHeading: 'Revisa tu teléfono',
  codeOnItsWay: 'Si {to} tiene una cuenta, recibirá un código enseguida.',
  linkOnItsWay: 'Si {to} tiene una cuenta, recibirá un enlace enseguida.',
  codeSent: 'Hemos enviado un código a {to}.',
  linkSent: 'Hemos enviado un enlace a {to}.',
  sentAgain: 'Hemos enviado un nuevo {what} a {to} a las {time}.',
  onItsWayAgain: 'Si {to} tiene una cuenta, un nuevo {what} salió a las {time}.',
  codeWord: 'código',
  linkWord: 'enlace',
  codeLabel: 'Código',
  codeFormat: 'El código solo tiene cifras.',
  codesOffHeading: 'Los códigos no funcionan por ahora',
  codeClosedHeading: 'Este código está bloqueado',
  codeClosedLink:
    'Lo hemos bloqueado para protegerte. Puedes iniciar sesión con un enlace por correo o de otra forma.',
  codeClosedOther: 'Lo hemos bloqueado para protegerte. Puedes iniciar sesión de otra forma.',
  linkTip: 'Ábrelo en este navegador.',
  nothingThere: '¿No llega nada?',
  lookInSpam: 'Busca en la carpeta de spam un correo de {sender}.',
  resendCode: 'Enviar otro código',
  resendLink: 'Enviar otro enlace',
  resendWait: 'Disponible en {time}',
  resendReady: 'Ya puedes pedir otro.',
  change: 'Cambiar',
  changeIdentifier: 'Usar otra dirección u otra forma',
  changeMethod: 'Probar de otra forma',

  secondFactorHeading: 'Confirma que eres tú',
  secondFactorBody: '¿Cómo quieres confirmarlo?',
  secondFactorForPasskey: 'Para añadir una llave de acceso, confirma que eres tú.',
  staleBody: '{provider} no nos ha indicado que acabes de iniciar sesión allí. Confirma de otra manera.',
  staleOnlyBody:
    '{provider} no nos ha indicado que acabes de iniciar sesión allí. Cierra la sesión en {provider} e inténtalo de nuevo. Si vuelve a aparecer esta página: cierra también la sesión aquí, iníciala de nuevo y añade una dirección de correo o una llave de acceso en la página de tu cuenta. Después podrás confirmar con ella.',
  aloneBody: 'Esto por sí solo no abre tu cuenta. Confírmalo de otra manera más, y la abrirá.',
  codeByEmail: 'Código por correo',
  codeBySms: 'Código por SMS',
  linkByEmail: 'Enlace por correo',
  passkey: 'Llave de acceso',

  verifyEmailHeading: 'Verifica tu correo',
  verifyEmailBody: 'Tu dirección de correo aún no está confirmada. Confirma que es tuya para continuar.',

  phoneHeading: 'Añade tu número de teléfono',
  phoneBody:
    '{app} necesita un número de teléfono. Te enviaremos un código por SMS para confirmar que es tuyo.',

  formPostHeading: 'Un momento…',
  formPostBody: 'Estás volviendo a la aplicación. Si no pasa nada, pulsa el botón.',
  leavingBody: 'Te llevamos a {provider}. Si no pasa nada, pulsa el botón.',

  identifierInvalid: {
    email: 'Introduce un correo electrónico válido.',
    phone: 'Elige el país e introduce un número de teléfono válido.',
    either: 'Introduce un correo electrónico válido o un teléfono con el prefijo del país.',
  },
  numberNeeded: 'Los SMS van a un número de teléfono, no a un correo electrónico. Introduce tu número.',
  emailUnmailable:
    'No podemos enviar correos a esta dirección. Antes de la @ solo puede tener letras sin tildes ni eñes, números y símbolos. Introduce otra.',
  numberAmbiguous:
    '¿Has escrito el prefijo del país? Entonces este es tu número. Si no, corrígelo y envía el código.',
  methodUnavailable: 'Esta forma de acceso no está disponible. Elige otra.',
  sendFailed: 'No se ha podido enviar el mensaje. Inténtalo de nuevo o elige otra forma.',
  codeWrong: 'El código no es correcto. Compruébalo e inténtalo de nuevo.',
  codeReplaced: 'El código no es correcto. Usa el del mensaje más reciente.',
  codeLast: 'El código no es correcto. Te queda un intento; después, los códigos se bloquean durante {wait}.',
  codeExpired: 'El código ha caducado. Pide otro.',
  linkOver: 'Ese enlace ha caducado o se ha sustituido. Usa el correo más reciente o pide otro.',
  codesOff: 'Por ahora los códigos no funcionan aquí. Elige otra forma o pide ayuda.',
  formExpired: 'Esta página ha estado abierta demasiado tiempo. Inténtalo de nuevo.',
  providerFailed: 'No ha funcionado o se ha cancelado. Inténtalo de nuevo o elige otra forma.',
  accountExists: 'Ya tienes una cuenta con esta dirección de correo. Inicia sesión de otra forma.',
  accountUnknown: 'No hay ninguna cuenta para este inicio de sesión. Elige otra forma.',
  rateLimited: 'Demasiadas solicitudes. Inténtalo de nuevo en {wait}.',
  locked: 'Demasiados códigos incorrectos. Inténtalo de nuevo en {wait}.',
};

export const logoutTexts = {
  signOutHeading: '¿Cerrar sesión en {app}?',
  signOutBody: 'Se cerrará tu sesión en este navegador.',
  signOutButton: 'Cerrar sesión',
  signOutTip: '¿No querías cerrar sesión? Cierra esta página.',
  signedOutHeading: 'Has cerrado sesión',
  signedOutBody: 'Ya puedes cerrar esta página.',
};

export const linkTexts = {
  continueHeading: 'Inicia sesión en {app}',
  continueBody: 'Has abierto un enlace de acceso. Continúa para terminar de iniciar sesión.',
  resumeBody: 'Continúa para volver a {app}.',
  continueButton: 'Continuar',
  continueTo: 'Irás a',
  continueWarning: '¿No has pedido este enlace? Cierra esta página.',
  switchBody: 'Has iniciado sesión como {from}. Continúa para iniciar sesión como {to}.',
  switchWarning: '¿No te lo esperabas? Cierra esta página.',
};

export const connectTexts = {
  heading: 'Conectar {provider}',
  body: 'Inicia sesión en {provider} con la cuenta que abrirá la tuya aquí. Desde entonces será otra forma de iniciar sesión.',
};

export const newAddressTexts = {
  heading: 'Tu nueva dirección de correo',
  phoneHeading: 'Tu nuevo número de teléfono',
  replaces: 'Sustituye a {address}.',
  replacesProven: 'Sustituye a {address}, que puede deshacer el cambio durante 7 días.',
  sendCode: 'Enviar un código',
  sendLink: 'Enviar un enlace',
};

export const recoveryPageTexts = {
  heading: '¿Has perdido tu segundo factor?',
  body: 'Puedes solicitar añadir uno nuevo. Avisamos a todas las direcciones y números confirmados de tu cuenta, y cualquiera de ellos puede detenerlo. Funciona dentro de {duration}.',
  button: 'Solicitarlo',
  tip: '¿Lo has encontrado? Vuelve atrás.',
  startedHeading: 'Hemos avisado a todas tus direcciones',
  startedBody:
    'Vuelve dentro de {duration} e inicia sesión: entonces podrás añadir un nuevo segundo factor durante 3 días. Si inicias sesión con el perdido, esto se detiene.',
  undoBody:
    'Podemos deshacer el cambio sin él. Avisamos a todas las direcciones y números confirmados de tu cuenta, y cualquiera de ellos puede detenerlo. Funciona dentro de {duration}.',
  undoStartedBody:
    'Vuelve dentro de {duration} y abre otra vez el enlace del correo: entonces bastará, durante 3 días. Si se inicia sesión de otra manera, esto se detiene.',
  impossibleHeading: 'Aquí no es posible',
  impossibleBody: 'Ninguna dirección de tu cuenta está confirmada. Contacta con {app}.',
  elsewhereBody:
    'Esto no se puede hacer en {app}, que ofrece muy pocas de tus formas de iniciar sesión. Hazlo en la página de tu cuenta en {place}.',
  anotherApp: 'otra aplicación',
};

export const lossTexts = {
  heading: 'Se ha notificado la pérdida de una forma de iniciar sesión',
  body: 'El {since} se notificó que estas formas de iniciar sesión en tu cuenta se han perdido o corren riesgo: {kinds}. A partir del {from} ya no las pediremos.',
  stop: 'Detenerlo',
  tip: '¿No has sido tú? Detenlo y seguiremos pidiéndolas.',
  kinds: {
    mail: 'correo electrónico',
    phone: 'número de teléfono',
    passkey: 'llave de acceso',
    social: 'cuentas conectadas',
  },
};

export const commandLineTexts = {
  heading: 'Permitir que otl actúe por ti en este ordenador',
  body: 'Continúa solo si acabas de iniciar tú {command} en este ordenador. Después, el programa podrá hacer todo lo que tú puedes hacer como operador.',
  button: 'Permitir que otl actúe por mí',
};

export const consentTexts = {
  heading: '{client} pide acceso',
  body: 'Quiere actuar en tu nombre en {app}.',
  goesOn: 'Después se continúa en {target}.',
  onDevice:
    'Después se continúa en una aplicación de este dispositivo. Permítelo solo si acabas de empezarlo en esa aplicación.',
  signedIn: 'Has iniciado sesión como {person}.',
  may: 'Qué puede hacer',
  openid: 'Saber que eres tú',
  profile: 'Ver tu nombre',
  email: 'Ver tu dirección de correo electrónico',
  phone: 'Ver tu número de teléfono',
  secondFactor: 'Requiere confirmar de una segunda forma que eres tú',
  stay: 'Seguir conectada, también cuando no estés',
  allow: 'Permitir',
  deny: 'Rechazar',
  tip: 'Puedes ponerle fin en cualquier momento en la página de tu cuenta.',
};

export const accountTexts = {
  heading: 'Tu cuenta',
  scope: 'Es tuya en todas las aplicaciones de {tenant}.',
  back: 'Volver a {app}',
  saved: 'Guardado.',
  isNow: 'Tu cuenta usa ahora {address}.',
  emailRemoved: 'Se ha quitado tu dirección de correo.',
  phoneRemoved: 'Se ha quitado tu número de teléfono.',
  ended: 'Sesión cerrada allí.',
  expired: 'La página era demasiado antigua. Inténtalo de nuevo.',
  confirmed: 'Gracias, eres tú. Ya puedes hacer el cambio.',
  refused:
    'No se ha cambiado nada. O no has confirmado que eres tú, o lo que has introducido ya pertenece a otra cuenta. Si no puedes hacer el cambio aquí, contacta con {app}.',
  signIn: 'Iniciar sesión',
  signInBody: 'Inicia sesión para ver tu cuenta.',
  details: 'Nombre e idioma',
  addresses: 'Correo electrónico y teléfono',
  name: 'Nombre',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  unconfirmed: 'sin confirmar',
  passkeys: 'Llaves de acceso',
  noPasskeys: 'No tienes ninguna.',
  unnamed: 'Llave de acceso',
  deviceKeys: 'Dispositivos que aprueban',
  identities: 'Cuentas conectadas',
  consents: 'Aplicaciones conectadas',
  added: 'Añadida el {date}',
  used: 'Último uso el {date}',
  sessions: 'Dónde has iniciado sesión',
  thisBrowser: 'Este navegador',
  since: 'Desde el {date}',
  endSession: 'Cerrar esa sesión',
  endOthers: 'Cerrar todas las demás sesiones',
  last: 'Es tu única forma de iniciar sesión. Añade otra primero.',
  firstName: 'Nombre de pila',
  lastName: 'Apellidos',
  noLanguage: 'El del navegador',
  edit: 'Cambiar nombre o idioma',
  changeEmail: 'Cambiar la dirección de correo',
  addEmail: 'Añadir una dirección de correo',
  changePhone: 'Cambiar el número de teléfono',
  addPhone: 'Añadir un número de teléfono',
  save: 'Guardar',
  addPasskey: 'Añadir una llave de acceso',
  rename: 'Cambiar el nombre',
  newName: 'Nombre nuevo',
  remove: 'Eliminar',
  disconnect: 'Desvincular',
  connect: 'Conectar {provider}',
  activity: 'Lo que ha pasado últimamente',
  noActivity: 'Nada todavía.',
  data: 'Tus datos',
  dataBody: 'Todo lo que se guarda sobre ti, en un archivo.',
  download: 'Descargar',
};

export const deviceText = '{browser} en {system}';

export const accountDeletionTexts = {
  section: 'Eliminar tu cuenta',
  sectionBody: 'Puedes deshacerlo durante 7 días.',
  open: 'Eliminar mi cuenta',
  heading: '¿Eliminar tu cuenta?',
  scope: 'Se elimina en todas las aplicaciones de {tenant}.',
  now: 'Se cierra tu sesión en todas partes de inmediato y nadie puede volver a iniciar sesión en tu cuenta.',
  later: 'El {time} se elimina para siempre, con todo lo que contiene.',
  toldByMail: 'Hasta entonces puedes deshacerlo: enviamos un enlace a {to}.',
  toldByText: 'Hasta entonces puedes deshacerlo: enviamos un enlace por SMS a {to}.',
  untold:
    'No tienes ninguna dirección confirmada a la que podamos enviar un enlace. Hasta entonces solo {app} puede deshacerlo.',
  dataFirst: '¿Quieres tus datos? Descárgalos primero.',
  keep: 'Conservar mi cuenta',
  doneHeading: 'Tu cuenta se va a eliminar',
  doneBody: 'Se ha cerrado tu sesión en todas partes. El {time} tu cuenta se elimina para siempre.',
  doneLink: '¿Has cambiado de idea? Usa el enlace que te hemos enviado.',
};

export const accountEventTexts = {
  'login.succeeded': 'Inicio de sesión',
  'login.failed': 'Inicio de sesión fallido',
  'login.locked': 'Demasiados códigos incorrectos',
  'login.new_device': 'Inicio de sesión desde un dispositivo nuevo',
  'session.ended': 'Cierre de sesión',
  'session.binding_failed': 'Sesión copiada cerrada',
  'user.email_added': 'Dirección de correo añadida',
  'user.email_changed': 'Dirección de correo cambiada',
  'user.email_restored': 'Cambio de correo deshecho',
  'user.phone_added': 'Número de teléfono añadido',
  'user.phone_changed': 'Número de teléfono cambiado',
  'user.undo_requested': 'Se ha pedido deshacer un cambio',
  'user.recovery_requested': 'Pérdida del segundo factor comunicada',
  'user.recovery_granted': 'Nuevo segundo factor permitido',
  'user.recovery_cancelled': 'Recuperación detenida',
  'user.erasure_requested': 'Cuenta eliminada',
  'user.erasure_cancelled': 'Eliminación de la cuenta deshecha',
  'passkey.added': 'Llave de acceso añadida',
  'passkey.removed': 'Llave de acceso eliminada',
  'device_key.added': 'Dispositivo añadido',
  'device_key.removed': 'Dispositivo eliminado',
  'identity.removed': 'Cuenta desvinculada',
  'identity.added': 'Cuenta conectada',
  'grant.given': 'Aplicación conectada',
  'grant.ended': 'Aplicación desconectada',
};

export const noticeLinkTexts = {
  address: {
    heading: '¿Recuperar tu dirección de correo en {app}?',
    body: 'Tu cuenta recupera la dirección de correo a la que se envió este enlace. Se cierra la sesión en todos los dispositivos.',
    button: 'Recuperarla',
    tip: '¿Has cambiado tú la dirección? Entonces cierra esta página.',
    doneHeading: 'Has recuperado tu dirección de correo',
    doneBody:
      'Se ha cerrado la sesión en todos los dispositivos. Inicia sesión con esta dirección y elimina las llaves de acceso y los dispositivos que no conozcas.',
  },
  change: {
    heading: '¿Deshacer el cambio en {app}?',
    body: 'Las direcciones y llaves de acceso de tu cuenta vuelven a estar como antes del cambio, y lo añadido desde entonces ya no la abre. Se cierra la sesión en todos los dispositivos.',
    button: 'Deshacerlo',
    tip: '¿Lo has cambiado tú? Entonces cierra esta página.',
    doneHeading: 'El cambio se ha deshecho',
    doneBody:
      'Se ha cerrado la sesión en todos los dispositivos. Inicia sesión como antes y elimina las llaves de acceso y los dispositivos que no conozcas.',
  },
  reclaimed: {
    heading: '¿Dejar que esta dirección vuelva a abrir tu cuenta en {app}?',
    body: 'Se ha confirmado otra dirección u otro número de tu cuenta, y esta dirección ya no la abre. Confirma las dos en este navegador, primero esta dirección y después la otra: entonces la abren las dos.',
    button: 'Continuar',
    tip: '¿No es tu cuenta? Entonces cierra esta página.',
  },
  recovery: {
    heading: '¿Detener la recuperación en {app}?',
    body: 'Alguien dice que no puede usar el segundo factor de tu cuenta. Detenla si no has sido tú.',
    button: 'Detenerla',
    tip: '¿Has sido tú? Entonces cierra esta página.',
    doneHeading: 'Se ha detenido la recuperación',
    doneBody:
      'Si no la has pedido, alguien puede estar leyendo tus mensajes: cambia la contraseña de tu buzón y elimina las llaves de acceso y los dispositivos que no conozcas.',
  },
  erasure: {
    heading: '¿Conservar tu cuenta en {app}?',
    body: 'Tu cuenta está cerrada y se va a eliminar. Si la conservas, podrás iniciar sesión como antes.',
    button: 'Conservar mi cuenta',
    tip: '¿Quieres que se elimine? Entonces cierra esta página.',
    doneHeading: 'Tu cuenta se conserva',
    doneBody:
      'Ya puedes volver a iniciar sesión. Si no la eliminaste tú, quita en la página de tu cuenta las llaves de acceso y los dispositivos que no conozcas.',
  },
  takenHeading: 'Otra cuenta tiene esta dirección',
  takenBody:
    'Otra cuenta usa ya la dirección o el número, así que no se puede recuperar. Contacta con {app}.',
  overHeading: 'Este enlace ya se ha usado',
  overBody: 'O ya no hace falta. Si algo va mal en tu cuenta, contacta con {app}.',
};

export const messageTexts = {
  link: {
    subject: 'Inicia sesión en {app}',
    headerText: 'Inicia sesión en {app}',
    bodyText: 'Usa el botón para iniciar sesión. No necesitas contraseña.',
    infoText: 'El enlace funciona una sola vez y caduca en {duration}.',
    footerText: 'Si no has pedido este correo, puedes ignorarlo.',
  },
  code: {
    subject: 'Tu código de {app}',
    headerText: 'Tu código de acceso',
    bodyText: 'Introduce este código para iniciar sesión en {app}:',
    infoText: 'El código funciona una sola vez y caduca en {duration}.',
    footerText:
      'No compartas este código con nadie: nunca te lo pediremos. Si no has pedido este correo, puedes ignorarlo.',
  },
  openWhereBegan: 'Ábrelo en el navegador donde empezaste.',
  linkText: 'Iniciar sesión',
  signUp: {
    link: {
      subject: 'Crea tu cuenta de {app}',
      headerText: 'Crea tu cuenta de {app}',
      bodyText:
        'Esta dirección aún no tiene una cuenta en {app}. Usa el botón para crearla. No necesitas contraseña.',
    },
    code: {
      headerText: 'Tu código de registro',
      bodyText: 'Esta dirección aún no tiene una cuenta en {app}. Introduce este código para crearla:',
    },
    linkText: 'Crear cuenta',
  },
  confirm: {
    title: 'Confirma tu nueva dirección en {app}',
    byLink: 'Usa el botón para confirmar que esta dirección es tuya en {app}.',
    byCode: 'Introduce este código para confirmar que esta dirección es tuya en {app}:',
    linkText: 'Confirmar',
  },
  orLink: 'O usa el botón, en el navegador donde empezaste:',
  eitherOnce:
    'Solo necesitas uno de los dos, y funciona una sola vez. El código caduca en {code}; el botón, en {link}.',
  requestedAt: 'Solicitado el {time}.',
  requestedOn: 'Solicitado el {time} con {device}.',
  linkFallback: '¿No funciona el botón? Copia esta dirección en tu navegador:',
  approving: 'Vas a aprobar',
  approval: {
    link: {
      subject: 'Aprobación en {app}',
      headerText: 'Aprobación en {app}',
      bodyText: 'Comprueba los datos y usa el botón solo si los apruebas.',
    },
    code: {
      subject: 'Tu código de aprobación de {app}',
      headerText: 'Tu código de aprobación',
      bodyText: 'Comprueba los datos e introduce este código solo si los apruebas.',
    },
    linkText: 'Aprobar',
  },
  letInBody:
    'Con este código tu dirección vuelve a abrir tu cuenta en {app}. Introdúcelo solo si es lo que quieres:',
};

export const codeSmsText = '{code} es tu clave de {app}. No la compartas con nadie.';

export const noticeTexts = {
  titles: {
    new_device: 'Nuevo inicio de sesión en {app}',
    binding_failed: 'Se ha cerrado una sesión copiada en {app}',
    locked: 'Demasiados códigos incorrectos en {app}',
    passkey_added: 'Se ha añadido una llave de acceso en {app}',
    passkey_removed: 'Se ha eliminado una llave de acceso en {app}',
    device_key_added: 'Se ha añadido un dispositivo en {app}',
    device_key_removed: 'Se ha eliminado un dispositivo en {app}',
    identity_added: 'Otra forma de iniciar sesión en {app}',
    identity_removed: 'Una cuenta se ha desvinculado en {app}',
    client_connected: 'Se ha conectado una aplicación en {app}',
    email_added: 'Se ha añadido una dirección de correo en {app}',
    email_changed: 'Tu dirección de correo en {app} ha cambiado',
    email_restored: 'Se ha deshecho el cambio de tu dirección de correo en {app}',
    phone_added: 'Se ha añadido un número de teléfono en {app}',
    phone_changed: 'Tu número de teléfono en {app} ha cambiado',
    recovery_requested: 'Recuperación de tu cuenta en {app}',
    recovery_granted: 'Se ha concedido la recuperación de tu cuenta en {app}',
    recovery_cancelled: 'Se ha detenido la recuperación de tu cuenta en {app}',
    undo_requested: 'Se ha pedido deshacer un cambio en {app}',
    reclaimed: 'Esta dirección ya no abre tu cuenta en {app}',
    erasure_requested: 'Tu cuenta en {app} se va a eliminar',
    erasure_cancelled: 'Tu cuenta en {app} se conserva',
    erasure_waits: 'Tu cuenta en {app} espera su eliminación',
  },
  bodies: {
    new_device: 'Alguien ha iniciado sesión en tu cuenta desde un dispositivo que no conocíamos.',
    binding_failed:
      'Alguien ha intentado continuar una sesión de tu cuenta sin el dispositivo al que pertenece. Hemos cerrado esa sesión.',
    locked:
      'Alguien ha introducido varias veces códigos incorrectos para tu cuenta. El acceso con código está bloqueado allí durante un tiempo.',
    passkey_added:
      'Se ha añadido una llave de acceso a tu cuenta. Quien la tenga puede iniciar sesión con ella.',
    passkey_removed: 'Se ha eliminado una llave de acceso de tu cuenta. Ya no sirve para iniciar sesión.',
    device_key_added:
      'Se ha añadido la clave de un dispositivo a tu cuenta. Puede aprobar operaciones en tu nombre.',
    device_key_removed: 'Se ha eliminado la clave de un dispositivo de tu cuenta. Ya no puede aprobar nada.',
    identity_added:
      'Se ha vinculado a tu cuenta una cuenta de otro proveedor. Quien la tenga puede iniciar sesión con ella.',
    identity_removed:
      'Una cuenta de otro proveedor se ha desvinculado de tu cuenta. Ya no sirve para iniciar sesión.',
    client_connected:
      'Has permitido que una aplicación actúe en tu nombre. La página de tu cuenta muestra lo que puede hacer y permite ponerle fin.',
    email_added: 'Tu cuenta tiene ahora una dirección de correo. Antes no tenía ninguna.',
    email_changed:
      'Esta dirección ya no pertenece a tu cuenta. No recibirás aquí más correos para iniciar sesión.',
    email_restored:
      'La dirección anterior de tu cuenta ha deshecho el cambio. No recibirás aquí más correos para iniciar sesión.',
    phone_added: 'Tu cuenta tiene ahora un número de teléfono. Antes no tenía ninguno.',
    phone_changed: 'El número de teléfono de tu cuenta se ha cambiado o eliminado.',
    recovery_requested:
      'Alguien dice que se han perdido formas de iniciar sesión en tu cuenta, o se ha avisado de que corren riesgo. A partir de la hora indicada ya no se piden.',
    recovery_granted: 'Desde ahora y durante 3 días, un factor basta para añadir otro a tu cuenta.',
    recovery_cancelled: 'Seguimos pidiendo las formas de iniciar sesión cuya pérdida se notificó.',
    undo_requested:
      'Alguien que tiene el enlace de un correo anterior pide deshacer un cambio de tu cuenta y dice que no puede confirmarlo de otra manera. A partir de la hora indicada bastará ese enlace.',
    reclaimed:
      'Se ha añadido otra dirección u otro número a tu cuenta y se ha confirmado. Desde entonces esta dirección ya no la abre.',
    erasure_requested:
      'Tu cuenta está cerrada: nadie puede iniciar sesión en ella. A la hora indicada se eliminará para siempre, con todo lo que contiene.',
    erasure_cancelled: 'Tu cuenta no se elimina. Puedes iniciar sesión como antes.',
    erasure_waits:
      'Alguien quiere iniciar sesión en tu cuenta. Está cerrada y se eliminará definitivamente en el momento indicado abajo. Consérvala con el enlace y podrás volver a iniciar sesión.',
  },
  changedByOperator:
    'El equipo de soporte de {app} ha cambiado una dirección de correo o un número de teléfono de tu cuenta.',
  opensFrom:
    'Hasta la hora indicada abajo, solo permite iniciar sesión junto con otro método de acceso de tu cuenta. Después basta por sí solo.',
  time: 'Hora',
  device: 'Dispositivo',
  client: 'Aplicación',
  provider: 'Proveedor',
  passkey: 'Llave de acceso',
  takesEffect: 'A partir de',
  erasedAt: 'Eliminación definitiva',
  footerText:
    'Si has sido tú, no tienes que hacer nada. Si no, contacta con {app} como sueles hacerlo. Este correo no contiene enlaces.',
  accountText: 'Ver tu cuenta',
  accountFooterText:
    'Si has sido tú, no tienes que hacer nada. Si no, revisa tu cuenta y contacta con {app} como sueles hacerlo. El enlace de este correo lleva a {host} y a ningún otro sitio. Nunca te pedimos que des un código a nadie.',
  undoText: 'No he sido yo',
  undoFooterText:
    'Si has sido tú, no tienes que hacer nada. Si no, usa el enlace en un plazo de 7 días: tu cuenta vuelve a estar como antes y se cierra la sesión en todos los dispositivos.',
  stopRecovery: 'Si has sido tú, no tienes que hacer nada. Si no, detenla con el enlace.',
  keepText: 'Conservar mi cuenta',
  keepFooterText:
    'Si es lo que quieres, no tienes que hacer nada. Si no, usa el enlace antes de ese momento.',
  letInText: 'Volver a admitirla',
  letInFooterText:
    'Si la cuenta es tuya, usa el enlace en un plazo de 7 días y confirma las dos direcciones. Si ya no quieres esta dirección allí, no tienes que hacer nada.',
};

export const noticeSmsTexts = {
  account_changed: 'Se ha cambiado el acceso a tu cuenta de {app}. Si no lo has hecho, contacta con {app}.',
  number_removed:
    'Este teléfono ya no pertenece a tu cuenta de {app}. Si no lo has hecho, contacta con {app}.',
  recovery:
    'Alguien dice haber perdido el segundo factor de tu cuenta de {app}. Si no lo has pedido, accede con ese factor y se detiene.',
  shut_out:
    'Este teléfono ya no abre tu cuenta de {app}: se ha confirmado otro acceso. Si no lo has hecho, contacta con {app}.',
  account_erased: 'Tu cuenta de {app} se elimina en una semana. Para conservarla:',
  factor_enrolled: 'Tu cuenta de {app} tiene un segundo factor nuevo. Si no lo has hecho, deshazlo:',
  changed_by_operator:
    'Soporte ha cambiado el correo o el teléfono de tu cuenta de {app}. Si no lo has pedido, detenlo:',
};

export const deadEndWords = {
  retryIn: 'Inténtalo de nuevo en {wait}.',
  home: 'Ir a {app}',
  requestId: 'ID de la solicitud',
  signOut: 'Cerrar sesión aquí',
  report: 'Si el problema continúa, envía los datos de abajo a los responsables de la aplicación.',
};

export const deadEnds = {
  codeElsewhere: {
    heading: 'Introduce el código donde empezaste',
    body: 'Este inicio de sesión empezó en otro navegador o dispositivo. Introduce en esa pantalla el código del correo.',
    hint: 'También puedes volver a la aplicación o al sitio web y empezar de nuevo en este navegador.',
  },
  cookiesNeeded: {
    heading: 'Se necesitan cookies',
    body: 'Tu navegador bloquea aquí las cookies, así que no podemos saber que sigues siendo tú.',
    hint: 'Permite las cookies de este sitio, vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
  },
  hintBroken: {
    heading: 'Tu sesión sigue abierta',
    body: 'La aplicación o el sitio web ha pedido cerrar tu sesión, pero los datos que ha enviado sobre ella no son correctos.',
    hint: 'Vuelve allí y cierra la sesión de nuevo.',
  },
  linkUnknown: {
    heading: 'Este enlace no funciona',
    body: 'Puede que esté incompleto o que sea demasiado antiguo.',
    hint: 'Vuelve a la aplicación o al sitio web y pide un enlace nuevo.',
  },
  loginDone: {
    heading: 'Has iniciado sesión',
    body: 'Ya has completado este inicio de sesión. Puedes cerrar esta página.',
    hint: 'O vuelve a la aplicación o al sitio web.',
  },
  loginExpired: {
    heading: 'Este inicio de sesión ha caducado',
    body: 'Ha tardado demasiado o ya se ha completado.',
    hint: 'Vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
  },
  notFound: {
    heading: 'Aquí no hay nada',
    body: 'Puede que la dirección esté incompleta o que la página haya cambiado de sitio.',
    hint: 'Comprueba la dirección o vuelve a la aplicación o al sitio web del que vienes.',
  },
  rateLimited: {
    heading: 'Demasiadas solicitudes',
    body: 'Ha habido demasiados intentos desde tu red en poco tiempo.',
    hint: 'Espera un minuto e inténtalo de nuevo.',
  },
  redirectNotAllowed: {
    heading: 'No podemos llevarte de vuelta desde aquí',
    body: 'La dirección a la que irías no está registrada para esta aplicación. Para protegerte, nos detenemos aquí.',
    hint: 'Vuelve a la aplicación o al sitio web e inténtalo de nuevo.',
  },
  requestWrong: {
    heading: 'Esta página no se puede abrir así',
    body: 'La aplicación o el sitio web que te ha traído aquí ha cometido un error en su solicitud.',
    hint: 'Vuelve allí e inténtalo de nuevo.',
  },
  serverError: {
    heading: 'Algo ha salido mal',
    body: 'El fallo es nuestro, no tuyo.',
    hint: 'Espera un momento, vuelve a la aplicación o al sitio web e inicia sesión de nuevo.',
  },
  wrongBrowser: {
    heading: 'Este inicio de sesión es de otro navegador',
    body: 'Empezó en otro navegador o dispositivo, y solo se puede completar allí. Copia el enlace que te trajo aquí y ábrelo allí.',
    hint: 'También puedes volver a la aplicación o al sitio web y empezar de nuevo en este navegador.',
  },
};
