// Owns the words by which people and files announce a secret, and those that show that none follows. Data for secrets.ts.

const word = (...alternatives: string[]): string => `(?:${alternatives.join("|")})`;

/** Words for a password, in the languages that people write. A hit inside a longer name (`SMTP_PASSWORD`, `dbPassword`) counts. */
export const PASSWORD_WORDS = word(
  "pass(?:word|wort|wrd|wd|code|phrase|[ -]phrase|[ -]code)s?",
  "pwd",
  "(?<![a-z])pw(?![a-z])",
  "(?<![a-z])clave(?![a-z])",
  "kenn?w[oö]rt(?:er)?",
  "contrase[ñn]as?",
  "mots? de passe",
  "senhas?",
  "palavra-passe",
  "wachtwoord(?:en)?",
  "lösenord",
  "adgangskode",
  "passord",
  "salasana",
  "hasł[oa]",
  "heslo",
  "parola",
  "парол[ьяи]",
  "[şs]ifre",
  "密[码碼]",
  "パスワード",
  "暗証番号",
  "비밀번호",
  "पासवर्ड",
  "كلمة (?:السر|المرور)",
  "security answer",
);

/** Words for a key or a token of a machine. What follows must look like one. */
export const KEY_WORDS = word(
  "(?:client|shared|signing|webhook|app|consumer|totp|2fa|otp)[ _-]?secret",
  "secret(?:[ _-]?access)?[ _-]?key",
  "(?:api|access|auth|private|encryption|signing|master|account|storage|recovery|bitlocker|filevault|deploy|wallet|license|licence|product|activation|subscription)[ _-]?key",
  "secret",
  "tokens?",
  "credentials?",
  "(?:session|sess)[ _-]?id",
  "session",
  "connection[ _-]?string",
);

/** Short words that count only as the name of an assignment (`pw: …`). */
export const ASSIGNED_WORDS = word("pass", "psk", "auth", "apikey", "pat");

/** What stands before "code": `door code`, `alarm combination`. Dress, zip, error, sort and promo codes are not among them. */
const OPENERS = word(
  "(?:front |back |garage |main )?door",
  "gate",
  "garage",
  "alarm",
  "entry",
  "entrance",
  "(?:bike |bicycle |pad|combination )?locks?",
  "safe",
  "locker",
  "key ?pad",
  "key ?box",
  "key ?safe",
  "lock ?box",
  "vault",
  "access",
  "security",
  "unlock(?:ing)?",
  "pass",
  "voice ?mail",
  "verification",
  "2fa",
  "mfa",
  "otp",
  "sms",
  "one[ -]time",
  "log ?in",
  "sign[ -]?in",
  "authenticat(?:ion|or)",
  "parental",
  "shed",
  "cabin",
  "lift",
  "elevator",
  "recovery",
  "backup",
  "reset",
  "wi-?fi",
);
/** What stands behind "the code for": more, since nobody gives norms and prices to a house. */
const PLACES = word(
  OPENERS,
  "building",
  "house",
  "flat",
  "apartment",
  "office",
  "room",
  "cellar",
  "basement",
  "phone",
  "tablet",
  "laptop",
  "card",
  "cottage",
  "holiday home",
);
/** What stands behind the number in "code 4455 at the gate". */
export const AT_A_PLACE =
  /^ (?:to|for|at|on|of) (?:the|my|our|her|his|their) (?:\p{L}{1,12} )?(?:doors?|gate|garage|alarm|entrance|lock|padlock|safe|locker|key ?pad|key ?box|lock ?box|shed|cabin|lift|elevator|building|house|flat|apartment|cellar|basement|cottage)(?!\p{L})/iu;
/** Numbers that open something. */
export const CODE_WORDS = word(
  `${OPENERS}[ _-]?(?:codes?|combination|combo)`,
  "(?:front |back |garage |main )?(?:key ?pad|key ?safe|lock ?box)",
  `(?:codes?|combination|combo) (?:to|for|of|on|at) (?:[\\p{L}'’]{1,12} ){0,3}?${PLACES}`,
  "(?:lock|the|my|our|safe) combination",
  "pin(?:[ -](?:code|number))?s?",
  "puk(?:[ -]?code)?",
  "t?otp",
  "pass[ -]?code",
  "(?:haus)?t[uü]rcode",
  "geheimzahl",
  "zugangscode",
  "code secret",
  "digicode",
  "code (?:de la porte|d['’]entrée|de l['’]immeuble)",
  "c[oó]digo de (?:acceso|la puerta|la alarma|seguridad)",
);

/** The number on the back of a card. */
export const CARD_CODE_WORDS = word("cvc2?", "cvv2?");

/** Lists of codes that work once. */
export const BACKUP_CODE_WORDS = word(
  "(?:backup|back-up|recovery|scratch|rescue|emergency|one[ -]time|single[ -]use|2fa|mfa|two[ -]factor|reset)(?: (?:backup|recovery|login|access|2fa|mfa))?[ -]codes",
  "tan list",
);

/** The words of a wallet. */
export const SEED_WORDS = word(
  "(?:seed|recovery|mnemonic|wallet|secret(?: recovery)?|backup)[ -](?:phrase|words)",
  "mnemonic",
  "(?:12|15|18|21|24|twelve|twenty[ -]four)[ -]words?(?: (?:phrase|seed))?",
  "seed",
);

/** What joins a word for a secret with its value in prose: is, lautet, es, は … */
export const COPULA = word(
  "(?: (?:has |had )?(?:now |still |just |currently |always |again |also )?(?:is|was|are|were|=|be|equals|reads|becomes|became|changed to|set to|reset to|to|will be|lautet|ist|war|sind|est|sont|es|son|é|era|è|sono|är|er|jest|это|—|–|-|->|→)(?![\\p{L}]))(?: (?:now|still|just|again|simply|literally|currently|always))?",
  "['’]s(?: (?:now|still|just))?",
  " ?[:=：＝]",
  " ?(?:是|为|為|は|が|은|는|है)",
);

/** Names whose value is no secret, behind the word: `TOKEN_TTL`, `password hint`, `key id`. */
export const HARMLESS_SUFFIX =
  /^["'`]?[ _.-]?(?:ids?|ttl|names?|urls?|uri|files?|path|dir|types?|length|len|min|max|size|expir\w*|counts?|fields?|polic\w+|managers?|hints?|endpoint|headers?|limits?|usage|budget|window|versions?|arn|ref|alg\w*|label|prompt|rules?|protected|required|reset(?!s? ?[:=])|change[sd]?|safe|box|cabinet|ring|store|vault|bucket|provider|issuer|holder|entry|input|validator|strength|generator|error)(?![\p{L}])/iu;

/** First words behind a colon or a copula that show that no value follows. */
export const NO_VALUE = new RegExp(
  `^(?:${[
    // Where it is, who has it, what it is like
    "a|an|the|my|your|our|his|her|their|its|this|that|these|those|same|some|any|no|not|none|nothing|never|n/a|tbd|todo|unknown|unset|empty|blank|null|nil|undefined|true|false|yes|on|off|in|at|by|with|under|behind|inside|from|for|of|to|as|if|when|where|which|what|who|how|only|also|too|very|really|quite|probably|maybe|perhaps|still|already|always|again|now|here|there|somewhere|elsewhere|required|optional|string|str|text|varchar|char|boolean|bool|number|int|integer|object|any|bytes|ask|see|use|get|look|check|read|call|contact|tell|send|please|never|don't|must|should|shall|can|cannot|can't|may|might|will|would|at|least|like|similar|different|longer|shorter|between|one|two|three|four|five|six|up|both|just|about|it|he|she|they|we|you|i",
    "on|in|bei|im|am|auf|der|die|das|den|ein|eine|mein|meine|nicht|kein|keine|noch|immer|sehr|zu|geheim|le|la|les|un|une|dans|sur|sous|pas|el|los|las|una|en|por|con|no|muy",
    // Adjectives of passwords
    "weak|strong|long|short|good|bad|safe|unsafe|secure|insecure|secret|simple|complex|complicated|easy|hard|old|new|wrong|right|correct|incorrect|invalid|valid|ready|gone|lost|due|public|private|common|random|unique|terrible|awful|ridiculous|silly|stupid|fine|ok|okay|great|important|sensitive|available|case-sensitive|alphanumeric|numeric|temporary|permanent|default|hidden|redacted|masked|placeholder|example|changeme|password|passwd|pass|secret|token|key|pin|code|hash|digits|characters|letters|words|numbers|printed|written|kept|stuck|stolen|broken|known|shown|sent|set|told|mine|yours|ours|hers|theirs|empty|blank|everywhere|nowhere|everything",
  ].join("|")})(?![\\p{L}\\p{N}])`,
  "iu",
);

/** A plain word in the form of a participle or an adjective describes the password; it is not one. */
export const DESCRIBING = /^\p{Ll}+(?:ed|ing|able|ible|ful|less|ous|ly|ive)$/u;

/** Words that no wallet's word list holds and that ordinary sentences can hardly do without. */
export const SENTENCE_WORDS = new Set(
  "the of in a at is and to for on my it as be was are or an by from has have not but his her him she he we us our i me no so if do did does than then's its were been had who".split(
    " ",
  ),
);

/** Cards that are no payment cards, and numbers that happen to have a valid check digit. */
export const NO_CARD =
  /\b(?:order|tracking|track|invoice|parcel|shipment|package|reference|ref|customer|member(?:ship)?|library|loyalty|ticket|booking|serial|imei|iccid|isbn|issn|ean|gtin|upc|iban|account|konto|phone|tel|fax|case|policy|contract|part|model|id)\b/i;
export const CARD_WORDS =
  /\b(?:visa|master ?card|amex|american express|maestro|discover|diners|jcb|unionpay|(?:credit|debit|bank|payment|prepaid)[ -]?cards?|my card|card (?:number|no|is)|cards?|kreditkarte|ec-?karte|carte (?:bancaire|bleue|de crédit)|tarjeta|carta di credito|cartão|pan)\b/i;
