/**
 * The names of secrets. Latin names are written without accents, in lower case, as separate words: they match
 * `mot_de_passe`, `motDePasse` and `motdepasse`. Those in other scripts also match inside longer words.
 */

/**
 * The certainty of a name: below `password` and `secret` everything but empty values is hidden; below `key` everything
 * but a word such as `expired`; below `code` values with digits; below `hint` values that nobody would have chosen;
 * below `material` values that look like the bytes of a key, in hexadecimal or base64; below `bare` only base64 of a
 * key's length.
 */
export type Kind = 'password' | 'secret' | 'key' | 'code' | 'hint' | 'material' | 'bare';

/** Personal numbers of states, tax offices and health insurances. */
const NATIONAL_NUMBERS = `national insurance number, national insurance, nino, ni number, social insurance number, sin number, itin, tin number,
        taxpayer id, tax file number, tfn, nhs number, medicare number, mbi, health card number, aadhar, pan number, pan card, voter id, epic number,
        passport number, passport no, passport id, driver license number, drivers license number, driving licence number, driver licence number,
        national id, national identity number, identity number, identity card, identity card number, id card, id card number,
        citizen id, citizenship number, resident id, residence permit number, personal id, personal identity code,
        cpf, rg number, curp, dni, nie number, nif, nuip, cedula, cedula de ciudadania, rut number, clave unica, numero de seguridad social,
        numero securite sociale, numero de securite sociale, nir number, insee number, codice fiscale, steuer identifikationsnummer,
        sozialversicherungsnummer, rentenversicherungsnummer, personalausweisnummer, ausweisnummer, reisepassnummer, ahv number, ahv nummer,
        bsn, burgerservicenummer, rijksregisternummer, personnummer, samordningsnummer, fodselsnummer, cpr number, cpr nummer, hetu, henkilotunnus,
        isikukood, pesel, rodne cislo, oib, jmbg, emso, egn, cnp, amka, tc kimlik no, kimlik no, nric, fin number, mykad, nik number, hkid,
        shenfenzheng, jumin number`;

interface Names {
  /** Separated by commas. */
  readonly latin: Readonly<Partial<Record<Kind, string>>>;
  readonly other?: Readonly<Partial<Record<Kind, string>>>;
}

const byLanguage: Readonly<Record<string, Names>> = {
  English: {
    latin: {
      password:
        'password, pass word, passwd, passwrd, passphrase, pass phrase, passcode, pwd, pw, pswd, psw, psk, pre shared key, preshared key, passw, password salt, password hash',
      secret: `secret, secure string, secret key, seed phrase, recovery phrase, secret phrase, mnemonic phrase, unlock phrase,
        backup phrase, security phrase, encryption phrase, decryption phrase, wallet phrase, access phrase`,
      key: `pass, token, credential, cred, jwt, bearer, authorization, auth header, headers cookie, header cookie, set cookie,
        api key, access key, private key, priv key, signing key, sign key, encryption key, encrypt key, decryption key, master key,
        auth key, hmac key, aes key, rsa key, des key, shared key, account key, ssh key, client key, private key id, service key, root key, storage key secret, wallet key, webhook key, jwt key, crypto key,
        cipher key, symmetric key, unseal key, deploy key, consumer key, server key, secret key base, recovery key, code verifier,
        recovery code, backup code, scratch code, security answer, secret answer, access token, refresh token, id token, auth token, csrf token, xsrf token,
        session token, bearer token, device token, api token, security token, user token, login token, bot token, oauth token,
        reset token, push token, service token, login pass, user pass, db pass, auth pass, smtp pass, mail pass, key pass, store pass`,
      code: `pin, tan, otp, totp, hotp, cvv, cvc, csc, ssn, iban, social security number, social security no, social security, tax id,
        tax number, national id number, aadhaar, pin code, otp code, security code, sms code, email code, mail code, mfa code, tfa code, two factor code,
        second factor code, two fa code, verification code, verify code, confirmation code, auth code, authentication code,
        authorization code, login code, sign in code, access code, unlock code, entry code, door code, alarm code, secret code,
        one time code, reset code, reset password code, card code, activation code, card number, card no, credit card, pan,
        pairing code, setup code, disarm code, license key, licence key, product key, activation key,
        ${NATIONAL_NUMBERS}`,
      hint: `sid, session id, session key, sessid, csrf, xsrf, salt, seed, auth, priv, mnemonic, cookie, cookies, signature, sig, hmac,
        ticket, assertion, app key, application key, pepper, losung, sas, verifier, recovery, device code, user code, recovery word, seed word, backup word`,
      material: `local key, network key, link key, pairing key, security key, device key, host key, group key, wrapping key, data key,
        content key, transport key, key material, key data, encrypt, wif`,
      bare: 'key',
    },
  },
  Mandarin: {
    latin: { password: 'mima, kouling', key: 'miyao', code: 'yanzhengma' },
    other: {
      password: '密码, 密碼, 口令',
      secret: '秘密, 机密, 機密',
      key: '密钥, 密鑰, 私钥, 私鑰, 令牌, 凭证, 憑證',
      code: '验证码, 驗證碼, 安全码, 安全碼, 校验码',
    },
  },
  Hindi: {
    latin: { password: 'kutshabd, koot shabd', secret: 'gupt kunji' },
    other: { password: 'पासवर्ड, कूटशब्द, कूट शब्द', secret: 'गुप्त(?!ा), गोपनीय', key: 'टोकन', code: 'सत्यापन कोड, ओटीपी' },
  },
  Spanish: {
    latin: {
      password: 'contrasena, contrasenia, clave acceso, clave de acceso, clave secreta, clave usuario, palabra de paso',
      secret: 'secreto, frase secreta',
      key: 'clave, clave privada, clave api, clave maestra, llave privada, llave secreta, llave api, credencial, credenciales, ficha acceso',
      code: 'codigo seguridad, codigo de seguridad, codigo verificacion, codigo de verificacion, codigo acceso, codigo de acceso, codigo secreto',
    },
  },
  French: {
    latin: {
      password: 'mot de passe, mot passe, mdp, phrase de passe, phrase secrete',
      key: 'jeton, cle privee, cle api, cle secrete, cle acces, cle d acces, cle de chiffrement',
      code: 'code secret, code d acces, code acces, code de verification, code de securite, code confidentiel',
    },
  },
  Arabic: {
    latin: { password: 'kalimat al murur, kalimat almurur, kalimat al sirr, kalimat alsir' },
    other: {
      password: 'كلمة المرور, كلمة مرور, كلمة السر, كلمة سر, باسورد, باسوورد',
      secret: 'المفتاح السري, مفتاح سري',
      key: 'المفتاح الخاص, مفتاح خاص, رمز الوصول',
      code: 'الرقم السري, رقم سري, رمز التحقق, رمز الدخول, رمز المرور, الرمز السري',
    },
  },
  Bengali: {
    latin: {},
    other: {
      password: 'পাসওয়ার্ড, পাসওয়ার্ড',
      secret: 'গোপন কী, গোপন চাবি',
      key: 'টোকেন',
      code: 'গোপন নম্বর, গোপন কোড, যাচাইকরণ কোড',
    },
  },
  Portuguese: {
    latin: {
      password: 'senha, palavra passe, palavra de passe, palavra senha',
      secret: 'segredo, frase secreta',
      key: 'chave privada, chave api, chave secreta, chave acesso, chave de acesso, chave mestra, credenciais',
      code: 'codigo seguranca, codigo de seguranca, codigo verificacao, codigo de verificacao, codigo de acesso',
    },
  },
  Russian: {
    latin: { password: 'parol, parolya', secret: 'sekret, sekretnyi klyuch' },
    other: {
      password: 'парол',
      secret: 'секрет(?!ар)',
      key: 'токен, закрытый ключ, закритий ключ, приватный ключ, приватний ключ, учетные данные',
      code: 'код подтверждения, код підтвердження, пин код, пинкод, код доступа, код доступу',
    },
  },
  Urdu: {
    latin: {},
    other: {
      password: 'پاس ورڈ, پاسورڈ',
      secret: 'خفیہ چابی, خفیہ کلید',
      key: 'ٹوکن',
      code: 'خفیہ کوڈ, خفیہ نمبر, تصدیقی کوڈ',
    },
  },
  German: {
    latin: {
      password: 'passwort, kennwort, losungswort, codewort',
      secret: 'geheimnis, geheimwort, geheim',
      key: `zugangsdaten, anmeldedaten, privater schlussel, geheimer schlussel, geheimschlussel, api schlussel, zugangsschlussel,
        sitzungsschlussel, hauptschlussel, lizenzschlussel`,
      code: 'geheimzahl, sicherheitscode, bestatigungscode, zugangscode, prufziffer, kreditkarte, kartennummer, kartenprufnummer, steuernummer, steuer id, geheimnummer',
    },
  },
  'of Asia': {
    latin: {
      // Japanese, Korean, Turkish, Indonesian and Malay, Vietnamese, Swahili
      password: `pasuwado, bimilbeonho, sifre, gizli kelime, kata sandi, sandi, kata laluan, mat khau, nenosiri, neno la siri`,
      secret: 'rahasia, gizli anahtar, kunci rahasia, khoa bi mat',
      key: 'ozel anahtar, kunci api, api anahtari, erisim anahtari',
      code: 'dogrulama kodu, kode otp, kode verifikasi, ma xac nhan, guvenlik kodu',
    },
    other: {
      // Japanese, Korean, Thai, Persian, Hebrew, Tamil, Telugu, Gujarati, Punjabi
      password: `パスワード, 合言葉, パスフレーズ, 비밀번호, 비밀 번호, 암호(?!화), 패스워드, รหัสผ่าน, رمز عبور, گذرواژه, کلمه عبور, סיסמה, סיסמא,
        கடவுச்சொல், పాస్వర్డ్, પાસવર્ડ, ਪਾਸਵਰਡ`,
      secret: '秘密, 비밀키, 비밀 키, 시크릿',
      key: '秘密鍵, 認証情報, トークン, 개인키, 개인 키, 토큰, โทเค็น',
      code: '暗証番号, 認証コード, 確認コード, パスコード, 인증번호, 인증 번호, 인증코드, 인증 코드',
    },
  },
  'of Europe': {
    latin: {
      // Italian, Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Hungarian, Romanian, Croatian, Slovenian, Baltic
      password: `parola, parola d accesso, parola d ordine, parola dordine, parola segreta, wachtwoord, losenord, adgangskode, kodeord,
        passord, salasana, haslo, heslo, jelszo, lozinka, zaporka, geslo, slaptazodis, parool`,
      secret: 'segreto, geheime sleutel, hemlighet, hemmelighed, hemmelighet, tajny klucz, sekretny klucz',
      key: `chiave privata, chiave segreta, chiave api, credenziali, prive sleutel, api sleutel, toegangssleutel, klucz prywatny,
        klucz api, api kulcs, soukromy klic, toegangstoken`,
      code: 'codice segreto, codice sicurezza, codice di sicurezza, codice verifica, codice di verifica, toegangscode, beveiligingscode, kod weryfikacyjny',
    },
    // Greek, Georgian, Armenian
    other: { password: 'κωδικός, συνθηματικό, პაროლი, գաղտնաբառ' },
  },
};

/** Endings of longer compound words: `accesstoken`, `datenbankkennwort`, `JSESSIONID`. */
const ENDINGS = {
  password:
    'password, passwd, passphrase, passcode, passwort, kennwort, wachtwoord, pwd, contrasena, losenord, passord',
  secret: 'secret, geheimnis, seedphrase',
  key: 'token, credential, apikey, secretkey, privatekey, accesskey, storepass, keypass, userpass, dbpass, requirepass, rootpass',
  code: 'pincode, cardnumber',
  hint: 'sessionid, sessid',
};

/** More than any name has. */
export const MOST_WORDS = 4;

const listed = (text: string) => text.split(',').map((name) => name.trim());
const kinds: readonly Kind[] = ['password', 'secret', 'key', 'code', 'hint', 'material', 'bare'];

function namesOf(script: keyof Names, kind: Kind): string[] {
  return Object.values(byLanguage).flatMap((names) => {
    const text = names[script]?.[kind];
    return text === undefined ? [] : listed(text);
  });
}

/** Without the gaps between its words, as many names are written. */
export const SECRET_NAMES: ReadonlyMap<string, Kind> = new Map(
  kinds.toReversed().flatMap((kind) => namesOf('latin', kind).map((name) => [name.replaceAll(' ', ''), kind] as const)),
);

/** First words of names with several words. */
export const FIRST_WORDS: ReadonlySet<string> = new Set(
  kinds.flatMap((kind) =>
    namesOf('latin', kind).flatMap((name) => (name.includes(' ') ? name.split(' ').slice(0, 1) : [])),
  ),
);

const endings = Object.entries(ENDINGS).map(([kind, names]) => [kind as keyof typeof ENDINGS, listed(names)] as const);
export const MAY_END = new RegExp(`(?:${endings.flatMap(([, names]) => names).join('|')})s?$`);
export const NAME_ENDINGS: readonly (readonly [Kind, RegExp])[] = endings.map(([kind, names]) => [
  kind,
  new RegExp(`(?:${names.join('|')})s?$`),
]);

/** For texts that are folded like names. */
export const otherScripts = (fold: (text: string) => string): readonly (readonly [Kind, RegExp])[] =>
  kinds.flatMap((kind) => {
    const names = namesOf('other', kind);
    return names.length === 0
      ? []
      : [[kind, new RegExp(names.map((name) => fold(name).replaceAll(' ', '[\\s_.-]{0,2}')).join('|'))] as const];
  });

/** For each Latin name a part that it must contain: so most names and texts need no closer check. */
export function nameParts(): string[] {
  const names = [...kinds.flatMap((kind) => namesOf('latin', kind)), ...endings.flatMap(([, ends]) => ends)].map(
    (name) => name.split(' '),
  );
  const alone = new Set(names.flatMap((words) => (words.length === 1 ? words : [])));
  const uses = new Map<string, number>();
  for (const word of names.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
  const partsOf = (words: readonly string[]): string[] => {
    const long = words.reduce((longest, word) => (word.length > longest.length ? word : longest));
    // `key` of `api key`, else a long word, else all of it.
    const word =
      words.find((each) => alone.has(each)) ??
      words.find((each) => ['key', 'code'].includes(each) || (each.length > 4 && (uses.get(each) ?? 0) > 3));
    return word !== undefined ? [word] : long.length > 3 ? [long] : ['', ' ', '_', '-'].map((gap) => words.join(gap));
  };
  const parts = [...new Set(names.flatMap(partsOf))];
  return parts.filter((part) => !parts.some((other) => other !== part && part.includes(other)));
}
