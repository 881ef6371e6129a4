/** Evidence that a name which sounds like a secret is none. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** A last word that is only about the secret: `tokenCount`, `passwordExpires`. */
export const ABOUT = words(`
  count counts length size limit limits max min total budget per second expires expiry expired expiration expire exp ttl at on
  since until type kind types name names label labels id ids index hint policy strength score required enabled disabled
  used usage uses color colour visible hidden shown visibility status state valid invalid validity error errors warning
  message title placeholder caption tooltip description help mode method scheme provider issuer audience scope scopes
  username user email icon style width height rule rules requirements step steps path url uri href route endpoint file folder
  digits format algorithm alg encoding version created changed updated modified rotated issued date time age attempts
  tries retries symbol decimals autocomplete supported available configured present exists owner loading focused
  touched dirty pristine checked active position start end line column loc prefix region realm domain manager service
  factory repository encoder validator generator store handler helper utils controller component class instance
  lifetime refreshed revoked lemma flavour flavor found unlocked discovered opened revealed completed remaining left set`);

/** Directly after the name: everything that follows is about the secret, and for people. `passwordHintText`. */
export const SPEAKS = words(`
  hint hints label labels placeholder helper help tooltip caption strength policy policies rule rules requirement requirements
  validation validator validators`);

/** After `secret` in the same word: still a secret. */
export const HELD = words(`
  key keys value values token tokens code codes text string str data hash base bytes phrase word words question questions answer access id name
  env prod production dev staging test live old new current previous next primary secondary default json file`);

/** Only in the same word, or below a single object: `passwordService`, `password.email`, but not `passwords.email`. */
export const ENTITIES = words(`
  service store email user domain file folder path url uri href endpoint manager handler controller component realm region
  owner route repository factory`);

/** On the path to a leaf: everything below is about the secret. */
export const ABOUT_BELOW = words(
  'helper rules rule policy policies requirements errors validation validators metadata stats',
);

/** Before the name in the same word: a flag, or an action. */
export const FLAGS = words(
  'is has had show shows hide hides toggle can should needs need must remember requires require allow allows allowed missing',
);
export const VERBS = words('forgot forgotten reset change changed lost recover');

/** Below these, names are those of texts for people; below the others only if the text is a secret's name itself. */
export const LABELLED = words(`
  labels label intl lang translations translation messages message msg strings locale locales texts text
  copy errors error validation placeholders placeholder help hints hint tooltips tooltip captions caption titles title dictionary
  dict headings buttons`);

export const MAYBE_LABELLED = words('t tr i n');

export interface Context {
  /** Directly before the name, in the same step of the path. */
  readonly joined?: ReadonlySet<string>;
  /** Directly before the name. */
  readonly before?: ReadonlySet<string>;
  /** Up to four words before it. */
  readonly near?: ReadonlySet<string>;
  /** Directly after it. */
  readonly after?: ReadonlySet<string>;
  /** Up to four words before it: then only generated-looking values are secret. */
  readonly weaker?: ReadonlySet<string>;
}

/** Contexts for names with several meanings. */
export const CONTEXTS: ReadonlyMap<string, Context> = new Map<string, Context>([
  [
    'token',
    {
      joined:
        words(`next previous prev page continuation sync resume skip cursor cancellation cancel max min total prompt
        completion input output context used cached reasoning special unexpected pad eos bos unk stop mask
        injection erc nft fungible coin reward governance native quote base resumption scroll delta anchor bookmark checkpoint
        offset paging pagination marker lookahead peek keyword whitespace punctuation`),
      near: words(`design theme css parser lexer tokenizer syntax ast grammar nlp highlighter highlight monaco prism bpe vocab
        vocabulary corpus embedding pagination compiler`),
      after: words(`color colour colors foreground background class font spacing radius radii shadow border lexeme lemma
        scopes symbol decimals ring bucket economics price supply balance stream`),
      weaker: words('ui game games player players board theme style styles button widget icon chip badge palette'),
    },
  ],
  [
    'secret',
    {
      weaker:
        words(`game games puzzle puzzles quiz riddle guess level levels achievement achievements santa recipe recipes
        dungeon quest quests wordle hangman story plot`),
    },
  ],
  // Part of an address in India.
  [
    'pincode',
    {
      near: words(`address addresses shipping billing delivery store stores branch office warehouse location city customer
        recipient sender pickup dropoff postal region area`),
    },
  ],
  [
    'accesskey',
    { near: words('keyboard shortcut shortcuts hotkey hotkeys menu menus toolbar button buttons link links') },
  ],
  [
    'key',
    {
      before: words('public publishable site verify verifying verification peer primary foreign partition sort cache'),
    },
  ],
  // An API's token is a secret.
  ['tokens', { near: words('llm gpt model usage injector scanner editor style styles prompt') }],
  [
    'pin',
    {
      before: words(
        'map maps led gpio board input output reset clock data power ground chip header digital analog button motor drop',
      ),
      near: words('map maps gpio arduino board marker markers pinterest geo bowling hardware'),
      after: words('color colour label icon title lat lng location mode layout map'),
    },
  ],
  [
    'pass',
    {
      joined:
        words(`ski season monthly weekly yearly annual daily render shader lighting shadow depth gpu compiler optimizer bus travel day guest mountain low high
        band multi first second single forward backward build all mock battle event rail train hall game quality class library
        museum city gold vip visitor`),
      before: words('test tests result results ci jest suite check checks boarding render'),
      near: words(`test tests suite boarding compiler renderer shader gpu graphics assertion assertions mountain mountains alps
        route routes trail trails hike hiking road roads peak valley terrain`),
      after: words('rate ratio count percent through fail failed port'),
    },
  ],
  [
    'cookie',
    {
      before: words('recipe recipes bakery menu fortune dessert'),
      near: words('recipe recipes bakery dessert desserts'),
      after: words('consent banner policy notice preferences settings flavour flavor jar cutter enabled'),
    },
  ],
  [
    'seed',
    {
      before: words('random world map game rng noise pumpkin flower plant'),
      near: words('garden plants recipe'),
      after: words('variety data'),
    },
  ],
  ['salt', { before: words('sea table recipe'), near: words('recipe recipes ingredients ingredient food') }],
  ['ticket', { near: words('support jira helpdesk event events issue train flight') }],
  ['signature', { before: words('method function email mail type time call'), near: words('music') }],
  ['parola', { after: words('del della di chiave') }],
  ['sandi', { before: words('lintas') }],
  ['clave', { before: words('palabra palabras'), after: words('musical de valor primaria foranea') }],
  ['heslo', { before: words('volebni') }],
  ['credential', { after: words('manager') }],
  ['accesscode', { before: words('http') }],
  ['pan', { near: words('map camera view zoom audio recipe kitchen gesture') }],
  ['geheim', { after: words('tipp tipps') }],
]);

/** Long numbers, and ids: a valid check digit in one of them is chance. */
export const IDS = words(
  'id ids reference ref uuid guid ean gtin isbn imei etag sha hash barcode sku timestamp ns us micros nanos',
);
export const NUMBERS = words('number numbers no nr num');
export const NUMBERED = words(`
  order orders invoice tracking shipment parcel booking reference article item product serial customer ticket transaction
  part build version row case`);

/** Below these a long number may be that of a card. */
export const CARDS = words('card cards payment payments pan cc creditcard kreditkarte kartennummer');

/** Names of such numbers only. */
export const CARD_NAMES = words('cardnumber cardno creditcard pan kreditkarte kartennummer');

/** Values that are never a secret, whatever their name. */
export const STATES = words(`
  invalid valid expired missing required optional none ok pending revoked active inactive unknown enabled disabled yes no
  set unset empty absent present loading loaded refreshing idle error failed failure success accepted rejected denied
  unauthorized forbidden on off all auto default basic digest bearer oauth password plain anonymous ready used unused
  verified unverified confirmed null undefined true false string number boolean object any never void bytes str int
  redacted hidden masked removed example n/a na`);
