/**
 * Evidence from names and origins about the importance of a value for the user of an app. Data only: `score.ts` decides
 * about the effect on a score.
 */

/** Declarations in a program's own files. */
export const OWN_FILES = 0.75;

/** By an agent's origin of a root (`LeafRoot.origin`); the first match counts. */
export const ORIGINS: readonly (readonly [RegExp, number])[] = [
  [/ shown in the page$|^window "/, 1],
  [/^the browser$/, 0.9],
  [/^(?:Redux|Pinia|Vuex|Zustand|MobX|Recoil|Ember|Apollo|TanStack)\b/, 0.85],
  [/^Jotai atom$/, 0.75],
  [/^document of /, 0.65],
  [/^bean |^HTTP session|^management bean|^servlet/, 0.75],
  [/^(?:Module|Closure|Local|Block|Script|Catch)\b.* of |^module /, OWN_FILES],
  [/^this of |^an object (?:that the event loop holds|in the heap)$/, OWN_FILES],
  // Objects that a program is working on.
  [/^held by thread |^held by the server |^local variable of |^single object of /, 0.75],
  [/^constants of /, 0.35],
  [/^static fields of |^local |^thread |^async |^timer|^event handler|^service|^singleton|^host/, 0.65],
  [/^React context$|^Vue Router$/, 0.45],
  [/^web storage/, 0.4],
  [/\bcomponents?\b/, 0.38],
  // Private state of a module of the app.
  [/^closure of [\w$]+\.[\w$]+$/, 0.29],
  [/^closure of |^global variable/, 0.22],
];
/** Origins of roots that hold live objects. Others hold variables, which may be constants. */
export const LIVE_ORIGIN =
  / shown in the page$|^window "|^the browser$|^(?:Redux|Pinia|Vuex|Zustand|MobX|Recoil|Jotai|Ember|Apollo|TanStack|React|Vue)\b|^document of |^bean |^HTTP session|^management bean|^servlet|^held by |^this of |^an object (?:that the event loop holds|in the heap)$|^local variable of |^single object of |\bcomponents?\b|^thread |^async |^timer|^event handler|^service|^singleton|^host/;
export const CONSTANT_ORIGIN = /^constants of /;
export const OTHER_ORIGIN = 0.6;
/** Longer ones are data. */
const MAX_NAME = 60;
const SHORTEST_WORD = 5;

/** Internal names of libraries, bundlers and frameworks; as a whole step of a path. */
const NOISE_NAMES = new Set(
  // bundlers and loaders
  (
    'exports __webpack_modules__ __webpack_require__ __webpack_module_cache__ webpackChunk moduleCache require_cache __esModule ' +
    // translations and locales
    'i18n i18next i18nextify resourceStore translations translation translator locales localeData messageBundle messageBundles ' +
    'resourceBundle resourceBundles resourceManager langs languages polyglot intl formatters pluralRules ' +
    // styles, icons, fonts
    'emotion emotionCache inserted registered styleSheet styleSheets stylesheet sheet classNames classnames cssRules theme ' +
    'palette typography breakpoints transitions zIndex mixins icons iconCache svgCache fonts fontCache glyphs glyphCache ' +
    'entities entityMap emoji emojis unicode charMap characters keyCodes keyMap keymap keyMaps keybindings ' +
    // editors
    'codemirror CodeMirror cm monaco display measure viewMeasure doc_ lineDiv lineMeasure gutters tokenizer tokenizers grammar ' +
    // react and friends
    'inst getSnapshot useSyncExternalStore memoizedState memoizedProps pendingProps fiber alternate stateNode _owner _store ' +
    '$$typeof propTypes defaultProps contextTypes __reactFiber __reactProps updateQueue ' +
    // vue, angular, others
    '_vnode vnode __v_skip __ob__ _watchers _renderProxy _uid compilerOptions directives mixinsCache effects_ scheduler ' +
    // programs
    'package_json packageJson pkg dependencies devDependencies peerDependencies scripts constants errno signals semver ' +
    'mimeTypes mimetypes statusCodes STATUS_CODES METHODS prototypes metaClassRegistry metaClass classInfo callSiteArray ' +
    'reflectionData classLoader logger loggers log4j slf4j Strings ' +
    // internals of each event emitter of Node
    '_events _eventsCount _maxListeners ' +
    // looks and keys
    // calendars and languages, parsers, what hovers
    'weekdays weekdaysShort weekdaysMin months monthsShort longDateFormat relativeTime ordinal meridiem listLanguages timezones ' +
    'parseTree parseTreeNode ast astNode extensionASTNodes tokens orderedAttributes domNode domNodes delayDuration ' +
    'React ReactDOM namedKeys keyNames lookupNames skipDelayDuration disableHoverableContent isOpenDelayed isPointerInTransitRef ' +
    'style styles defaultStyle syntaxHighlighting themeVariables colors colours sectionFills actorColours hljs handlers ' +
    '_handlers ondown onup onkeydown onkeyup keyHandlers shortcuts ctrl alt shift animation animations easing'
  ).split(' '),
);

/** Prefixes and parts of names with the same meaning. */
const NOISE_NAME =
  /^(?:__webpack|webpackJsonp|webpackChunk|__REACT|__VUE|__NUXT_DEV|_?\$\$|__zone_symbol__|ng-?[A-Z]|shortcut[A-Z]|MuiP|css-[\da-z]{5,}|chunk-[\da-f]{6,})|(?:Polyfill|AST|ASTNodes?|[hH]andlers?(?:Object|Map|List)?|[lL]isteners|TypeInfo|MetaClass|ClassLoader|Regexps?|RegExps?|Pattern Cache)$/;

/** Components of libraries that display something else: their state is not that of the app. */
const PLUMBING =
  /^(?:Presence|Tooltip|Popper|Portal|Transition|TransitionGroup|ErrorBoundary|Ripple|Collapse|FocusTrap|FocusScope|Suspense|Provider|DismissableLayer|Toast(?:ify)?|Modal|Popover|ScrollArea|Grid|ReactVirtualized|InfiniteLoader|AutoSizer|[A-Z]\w*(?:ContextProvider|Boundary))\d*$/;
/** Hooks have no names. */
const NAMELESS_STATE = /^state\d*$/;

export function isPlumbing(name: string): boolean {
  return PLUMBING.test(name) || NAMELESS_STATE.test(name);
}

/** Words about look and layout, or that only a machine needs. */
const LOOK_WORDS = new Set(
  (
    'font fonts padding margin color colour width height fill stroke opacity radius spacing align alignment scroll offset ' +
    'css class classname border shadow cursor zindex icon nonce seed hash digest checksum cache etag buffer callback ' +
    'callbacks listener listeners observer observers roughness angle'
  ).split(' '),
);

/** By the words of a name. */
export function saysLook(words: readonly string[]): boolean {
  return words.some((word) => LOOK_WORDS.has(word));
}

/** Names under which a library keeps its configuration. */
export function isOptionsName(name: string): boolean {
  return /^(?:options?|opts|defaults?|defaultOptions|params)$/.test(name);
}

/** Names that lead up to everything else. */
export function leadsUp(name: string): boolean {
  return /^(?:parent|ancestor)s?(?:[A-Z_].*)?$/.test(name);
}

/** References, and values that are only about the look. */
const PRESENTATION =
  /^(?:\[ref\] .*|\[[A-Z]\w*\]|#[\da-f]{3,8}|(?:rgb|hsl)a?\(.*\)|-?\d+(?:\.\d+)?(?:px|em|rem|vh|vw|ms|%)|data:\w+\/.*)$/is;

export function isPresentation(text: string): boolean {
  return PRESENTATION.test(text);
}

/** Names of things that people work with; in the last steps of a path. */
const BUSINESS_WORDS = new Set(
  (
    'account accounts active address amount answer app article articles author balance basket board book books budget ' +
    'cart category channel chat city client comment comments company completed contact contacts content count country current ' +
    'customer customers data date deadline delivery description device done draft due duration email emails enabled entries ' +
    'entry error errors event events failed file files filter flow flows folder folders form game gold group groups heading ' +
    'history id image inbox invoice invoices issue issues item items job jobs label language level ' +
    'list loading location login mail member message messages month name names node nodes note notes ' +
    'open order orders owner package packages page pages paid pending percent person phone place ' +
    'plan player players playing price priority product products profile progress project query queue queues ' +
    'reason recipient record records response result results role room route running score search section selected ' +
    'sender session sessions settings shop speed start state status stock subject summary tab tabs tag tags text texts ' +
    'task tasks team temperature ticket tickets title todo todos token total track turn unread ' +
    'updated url user username users version view visible volume waiting warning week year'
  ).split(' '),
);

export function isNoiseName(name: string): boolean {
  return NOISE_NAMES.has(name) || NOISE_NAME.test(name);
}

/** By the words of a name. */
export function saysBusiness(words: readonly string[]): boolean {
  return words.some((word) => BUSINESS_WORDS.has(word));
}

/** Words that can name something; shorter ones are everywhere. */
export function nameWords(name: string): string[] {
  return wordsOf(name).filter((word) => word.length >= SHORTEST_WORD);
}

export function wordsOf(name: string): string[] {
  if (name.length > MAX_NAME) return [];
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}
