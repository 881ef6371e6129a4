/** Recognises secrets by their shape, whatever their name. */
import { isPrivateKey } from './private-keys.ts';
import { turns } from './value-looks.ts';

/**
 * Prefixes of the keys of known services, and their form. Each contains a long run of letters, digits, `_` and `-`, and
 * a search never begins inside such a run: so no text takes long.
 */
const VENDORS = [
  'gh[opsur]_[0-9A-Za-z]{16,}', // GitHub
  'github_pat_\\w{16,}',
  '(?:glpat|glptt|gldt|glrt|glcbt|glsoat|gloas|glimt|glagent|glft|glffct|feed_token)-[\\w-]{16,}', // GitLab
  'npm_[0-9A-Za-z]{20,}',
  'pypi-[\\w-]{16,}',
  'xox[abeoprs]-[\\w-]{15,}', // Slack
  'xoxe\\.xox[bp]-[\\w-]{15,}',
  'xapp-[\\w-]{16,}',
  '(?:sk|rk|tok|whsec)_(?:(?:live|test|prod|substrate)_)?(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{16,}', // Stripe, and substrate's own
  'sk-(?:proj|ant|svcacct|admin|or)-[\\w-]{16,}', // OpenAI, Anthropic
  'sk-(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{20,}',
  'AIza[\\w-]{35}', // Google
  'GOCSPX-[\\w-]{16,}',
  'ya29\\.[\\w-]{16,}',
  '1//0[\\w-]{20,}',
  '(?:AKIA|ASIA|ABIA|ACCA|A3T[0-9A-Z])[0-9A-Z]{16}(?![0-9A-Za-z])', // AWS
  'ABSK[0-9A-Za-z+/]{100,}={0,2}',
  'bedrock-api-key-[\\w+/=-]{20,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', // SendGrid
  'key-[0-9a-z]{32}(?![\\w-])', // Mailgun
  '(?:SK|AC)[0-9a-fA-F]{32}(?![\\w-])', // Twilio
  'hf_(?=[A-Za-z]{0,200}\\d|[A-Z]*[a-z]+[A-Z])[0-9A-Za-z]{30,}', // Hugging Face
  'dckr_[po]at_[\\w-]{16,}', // Docker
  'hv[sbr]\\.[\\w-]{16,}', // Vault
  's\\.(?=[A-Za-z]{0,24}\\d)[0-9A-Za-z]{24}(?![\\w-])',
  'AGE-SECRET-KEY-1[0-9A-Z]{30,}', // age
  '(?:bot)?\\d{8,10}:[\\w-]{34,36}(?![\\w-])', // Telegram
  '[\\w-]{8,30}:APA91b[\\w-]{60,}', // Firebase
  '[MNO][0-9A-Za-z_-]{22,28}\\.[\\w-]{6}\\.[\\w-]{27,}', // Discord
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}', // Shopify
  'sq0[a-z]{3}-[\\w-]{22,}', // Square
  'EAAA[\\w-]{56,}',
  'dapi[0-9a-f]{32}', // Databricks
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,}', // Doppler
  'lin_(?:api|oauth)_[0-9A-Za-z]{30,}', // Linear
  '(?:ntn_|secret_)(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{40,}', // Notion
  'fig[dou]r?_[\\w-]{30,}', // Figma
  'AT(?:ATT|CTT|BB)[\\w-]{24,}(?:=[0-9A-F]{8})?', // Atlassian
  'NR(?:AK|JS|II|RA)-[0-9A-Za-z]{20,}', // New Relic
  'sntry[su]_[\\w+/=-]{20,}', // Sentry
  '(?:dop|doo|dor)_v1_[0-9a-f]{32,}', // DigitalOcean
  'rubygems_[0-9a-f]{40,}',
  'PMAK-[0-9a-f]{24}-[0-9a-f]{30,}', // Postman
  'glsa_[0-9A-Za-z]{30,}_[0-9a-fA-F]{8}', // Grafana
  'eyJrIjoi[0-9A-Za-z+/=]{60,}',
  'pul-[0-9a-f]{40}', // Pulumi
  'tfp_[0-9A-Za-z]{40,}', // Typeform
  'xkeysib-[0-9a-f]{60,}-\\w{16}', // Brevo
  'gsk_(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{40,}', // Groq
  'r8_(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{35,}', // Replicate
  'ph[xs]_(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{40,}', // PostHog
  'AQVN[\\w-]{35,}', // Yandex
  'CCIP(?:AT|RJ)_[\\w-]{30,}', // CircleCI
  'bkua_[0-9a-f]{40}', // Buildkite
  'ek_[0-9a-f]{32,}', // OpenAI, for one session
  'sb[ps]?_(?:secret_)?(?=[A-Za-z_]{0,200}\\d)[\\w-]{30,}', // Supabase
  'access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}', // Plaid
  'pscale_(?:tkn|pw|oauth)_[\\w.-]{20,}', // PlanetScale
  'tskey-[a-z]{2,10}-[\\w-]{16,}', // Tailscale
  'f[mo][12]_[\\w+/=-]{30,}', // Fly
  'nf[pokcub]_[0-9A-Za-z]{36,}', // Netlify
  'rnd_(?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{26,}', // Render
  '[0-9A-Za-z]{14}\\.atlasv1\\.[\\w-]{30,}', // Terraform
  'sgp_(?:[0-9a-fA-F]{16}_)?[0-9a-fA-F]{40}', // Sourcegraph
  'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}', // LangSmith
  '(?:pplx|xai|nvapi|tvly|jina|esecret|fw|cpk)[_-](?=[A-Za-z-]{0,200}\\d)[\\w-]{24,}', // models and search
  'sk-lf-[0-9a-f]{8}-[0-9a-f-]{27}', // Langfuse
  'ops_eyJ[\\w-]{40,}', // 1Password
  'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}',
  'dt0[a-z]\\d\\d\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{30,}', // Dynatrace
  'glc_[\\w+/=-]{30,}', // Grafana Cloud
  'CFPAT-[\\w-]{40,}', // Contentful
  'pat[0-9A-Za-z]{14}\\.[0-9a-f]{64}', // Airtable
  'pat-(?:na|eu)\\d-[0-9a-f]{8}-[0-9a-f-]{27}', // HubSpot
  'APP_USR-[\\w-]{30,}', // Mercado Pago
  'FLWSECK(?:_TEST)?-[\\w-]{30,}', // Flutterwave
  'xnd_(?:production|development)_[0-9A-Za-z]{30,}', // Xendit
  'pdl_(?:live|sdbx)_apikey_\\w{30,}', // Paddle
  're_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}', // Resend
  'mlsn\\.[0-9a-f]{60,}', // MailerSend
  'EZ[AT]K[0-9A-Za-z]{54}', // EasyPost
  'shippo_(?:live|test)_[0-9a-fA-F]{40}', // Shippo
  'duffel_(?:live|test)_[\\w-]{43}', // Duffel
  'sl\\.[\\w-]{100,}', // Dropbox
  'oy2[0-9a-z]{43}(?![\\w-])', // NuGet
  'cio[0-9A-Za-z]{32}(?![\\w-])', // crates.io
  'syt_[0-9A-Za-z]+_[0-9A-Za-z]{20}_[0-9A-Za-z]{6}', // Matrix
  'AKCp[0-9A-Za-z]{60,}', // Artifactory
  'EAA[A-Z](?=[A-Za-z]{0,200}\\d)[0-9A-Za-z]{80,}', // Facebook
  'live_\\d{6,12}_[0-9A-Za-z]{24,}', // Twitch
  '(?:pnu|pnb)_[0-9A-Za-z]{36}', // Prefect
  'dbt[cu]_[\\w-]{30,}', // dbt
  'HRKU-[\\w-]{36,}', // Heroku
  'p8e-[0-9A-Za-z]{32}', // Adobe
  'LTAI[0-9A-Za-z]{20}(?![\\w-])', // Alibaba
  'cmVmd[0-9A-Za-z]{59}(?![\\w-])', // Artifactory
  '(?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\\.[0-9A-Za-z]{4,6}\\.acc[_-][0-9A-Za-z-]{10,32}\\.[\\w+/=-]{30,}', // Authress
  'CLOJARS_[0-9A-Za-z]{50,}', // Clojars
  'v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}', // Cloudflare
  'fio-u-[\\w-]{60,}', // Frame.io
  'GR1348941[\\w-]{20}', // GitLab
  'api_org_[A-Za-z]{30,}', // Hugging Face
  '(?:pat|sat)\\.[\\w-]{22}\\.[0-9A-Za-z]{24}\\.[0-9A-Za-z]{20}', // Harness
  'ico-[0-9A-Za-z]{32}(?![\\w-])', // Infracost
  's-s4t2(?:ud|af)-[0-9a-f]{64}', // 42
  '[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk(?![\\w-])', // MaxMind
  'API-[0-9A-Z]{26}(?![\\w-])', // Octopus Deploy
  'rdme_[0-9a-z]{70}', // ReadMe
  'tk-us-[\\w-]{48}', // Scalingo
  'sm_[aps]at_[0-9A-Za-z]{16}(?![\\w-])', // SettleMint
  '[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,}', // BIP 32
  '[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![\\w-])', // Bitcoin
  'v[1-4]\\.(?:local|public)\\.[\\w-]{40,}', // PASETO
  // A key that names itself as one, of any service: `acme_secret_…`
  '(?:[A-Za-z0-9]{1,12}[_-])?(?:secret|pat|apikey|refresh|token)[_-](?:(?:live|test|prod|sandbox)[_-])?(?=[A-Za-z]{0,200}\\d)(?=\\d{0,200}[A-Za-z])[0-9A-Za-z]{24,}(?![\\w-])',
  'eyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*', // JSON Web Token
  'eyJ[\\w-]{8,}(?:\\.[\\w-]*)?…', // one that was cut
] as const;
/** Not inside a run, except after an escape: `%3Dghp_…`, `\nghp_…`. */
const START = '(?:(?<![\\w-])|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\[nrt]))';
const VENDOR = new RegExp(`${START}(?:${VENDORS.join('|')})`, 'g');
/** Each of them contains a run of this length. */
const LONG_RUN = 16;
const IS_IN_RUN = Uint8Array.from({ length: 0x10000 }, (_, unit) => (/[\w-]/.test(String.fromCharCode(unit)) ? 1 : 0));
/** `/reset-password/9f8e7d…`: the address gives access to the account. */
const TICKET =
  /\/((?:reset|verify|confirm|invit|activat|magic|unsubscrib|recover|token|share|login|(?:web)?hooks?)[\w-]{0,40})\/([\w.~@-]{1,500}(?:\/[\w.~@-]{1,500}){0,6})/gi;
const DIRECT = /^(?=[A-Za-z_-]{0,200}\d)[\w.~-]{16,}$/;
/** `/private-9f8e7d…/basic.ics` */
const PRIVATE_PART = /\/(private|secret|token|key)-(?=[A-Za-z_-]{0,200}\d)[\w-]{16,500}/gi;

/** The others, each with a text that it must contain. */
const SHAPES: readonly (readonly [mark: string, shape: RegExp])[] = [
  [
    '-----BEGIN',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  ],
  ['PuTTY-User-Key', /PuTTY-User-Key-File-\d[\s\S]*/g],
  ['://', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@"']{0,200}:[^/\s@"']{1,500}@/gi], // a URL with a password in it
  ['…', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@"']{0,200}:(?!\d{1,5}…)[^/\s@"'…]{1,500}…/gi], // one that was cut (not after a port)
  ['<<', /(?<![A-Z\d<])[ACIPV][A-Z\d<]{29,43}(?:\s{1,2}[A-Z\d<]{28,44}){1,2}/g], // the lines of a passport
  ['otpauth://', /\botpauth:\/\/\S{1,1000}/g],
  ['Q~', /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g], // Azure
  ['//hooks.', /\bhooks\.[\w.-]{1,100}\/[\w/-]{8,}/g],
  ['hooks.slack.com/', /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{8,}/g],
  ['/webhooks/', /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,30}\/[\w-]{8,}/g],
  ['$', /\$(?:argon2\w{0,2}|scrypt|pbkdf2[\w-]{0,10}|2[abxy]|[1567y]|bcrypt-sha256)\$[\w./+=,$-]{12,400}/g],
  ['pbkdf2_', /\bpbkdf2_\w{1,10}\$\d{1,8}\$[\w./+=$-]{12,400}/g],
  ['SHA', /\{S?SHA(?:256|384|512)?\}[\w+/=]{16,200}/g],
];

const CARD = /(?<![\w+.-])[2-6]\d(?:[ -]?\d){11,17}\b/g;
const IBAN = /(?<![\w-])[A-Z]{2}\d\d(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,4})?(?![\w-])/g;
const MAY_BE_NUMBER = /\d{4}[ -]?\d{3}|[A-Z]{2}\d\d ?[0-9A-Z]{4}/;
const HAS_MARK = /:\/\/|Q~|\$|-----B|PuTTY-|\{S|\.com\/|<</;
/** Base64 that may be a private key. */
const MAY_BE_KEY = /(?<![\w+/=-])(?:M[\w+/-]{39,}|LS0tLS1CRUdJTi[\w+/-]{20,})={0,2}/g;

/** The text with `mark` in place of each secret. A number that is an id is no card. */
export function replaceShapes(text: string, mark: string, isId: boolean): string {
  let result = text;
  if (HAS_MARK.test(text))
    for (const [part, shape] of SHAPES) if (text.includes(part)) result = result.replace(shape, mark);
  if (hasLongRun(text)) {
    result = result.replace(VENDOR, mark);
    if (text.includes('/')) {
      result = result.replace(TICKET, (whole, kind: string, rest: string) => withoutTicket(whole, kind, rest, mark));
      result = result.replace(PRIVATE_PART, `/$1-${mark}`);
    }
    result = result.replace(MAY_BE_KEY, (run) => (isPrivateKey(run) ? mark : run));
  }
  if (MAY_BE_NUMBER.test(text)) {
    if (!isId) result = result.replace(CARD, (number) => (isCardNumber(number) ? mark : number));
    result = result.replace(IBAN, (number) => (isIban(number) ? mark : number));
  }
  return result;
}

/** Removes everything from the ticket on: directly after the word, or further on if it looks like nothing else. */
function withoutTicket(whole: string, kind: string, rest: string, mark: string): string {
  const parts = rest.split('/');
  const at = parts.findIndex((part, index) => (index === 0 && DIRECT.test(part)) || isTicket(part));
  return at === -1 ? whole : `/${[kind, ...parts.slice(0, at), mark].join('/')}`;
}

const isTicket = (part: string) => part.length >= 16 && turns(part) >= 4;

/** Reads few characters of a text that has none: after each character outside a run, it skips the length of a run. */
function hasLongRun(text: string): boolean {
  for (let at = LONG_RUN - 1; at < text.length; ) {
    let back = at;
    while (back > at - LONG_RUN && IS_IN_RUN[text.charCodeAt(back)] === 1) back--;
    if (back === at - LONG_RUN) return true;
    at = back + LONG_RUN;
  }
  return false;
}

/** `Bearer …` and the like. */
const SCHEMES: readonly RegExp[] = [
  /\b[Bb]earer\s{1,3}(?=[\w.~+/=-]{0,200}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{8,}/g,
  /\b[Tt]oken\s{1,3}(?=[\w.~+/=-]{0,200}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{16,}/g,
];
const BASIC = /\b[Bb]asic\s{1,3}([\w+/-]{6,2000}={0,2})/g;

export function replaceSchemes(text: string, mark: string): string {
  const clean = SCHEMES.reduce((result, scheme) => result.replace(scheme, mark), text);
  return clean.replace(BASIC, (whole, pair: string) => (isPair(pair) ? mark : whole));
}

/** Base64 of `user:password`. */
function isPair(text: string): boolean {
  try {
    return /^[^\p{Cc}]*:[^\p{Cc}]*$/u.test(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // Not base64, and so no credentials.
    return false;
  }
}

/** A payment card: 13 to 19 digits, in any grouping, with a valid check digit and a known first digit. */
export function isCardNumber(text: string): boolean {
  if (text.length > 23 || !/^[2-6]\d(?:[ -]?\d){11,17}$/.test(text)) return false;
  const digits = text.replace(/\D/g, '');
  // The one range that begins with 2 (2221 to 2720) has 16 digits.
  if (digits[0] === '2' && (digits.length !== 16 || digits < '2221' || digits >= '2721')) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    let digit = Number(digits[digits.length - 1 - at]);
    if (at % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  let rest = 0;
  for (const letter of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    rest = (value < 10 ? rest * 10 + value : rest * 100 + value) % 97;
  }
  return rest === 1;
}
