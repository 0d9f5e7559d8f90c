// Owns the table of secrets that show by their shape alone: prefixes of providers, headers of private keys, hashes of passwords.
// Every pattern begins at a fixed word and is bounded or a single run of one class, so that hostile text costs linear time.

export interface SecretShape {
  /** What stands in `[secret: kind]`. */
  kind: string;
  /** A global pattern. Group 1, where there is one, is the secret part of the match. */
  shape: RegExp;
}

// Not in the middle of a longer word.
const START = "(?<![A-Za-z0-9_])";

function prefixed(kind: string, ...alternatives: string[]): SecretShape {
  return { kind, shape: new RegExp(`${START}(?:${alternatives.join("|")})`, "g") };
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  prefixed(
    "API key",
    // Model providers
    String.raw`sk-[A-Za-z0-9_-]{20,}`,
    String.raw`(?:gsk|xai|pplx|nvapi|r8|hf|fal|csk|tgp_v1|ak)[_-][A-Za-z0-9_-]{28,}`,
    // Clouds: AWS, Google, Alibaba, DigitalOcean, Cloudflare, Fly, Netlify, Vercel, Supabase, Databricks, Pulumi, Terraform
    String.raw`(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
    String.raw`AIza[A-Za-z0-9_-]{35}`,
    String.raw`LTAI[A-Za-z0-9]{12,30}`,
    String.raw`(?:dop|doo|dor)_v1_[a-f0-9]{40,}`,
    String.raw`(?:FlyV1 fm2_|fm2_|fo1_)[A-Za-z0-9_+/=-]{20,}`,
    String.raw`(?:nfp|vcp|vck|sbp|sb_secret)_[A-Za-z0-9_]{20,}`,
    String.raw`dapi[a-f0-9]{32}`,
    String.raw`pul-[a-f0-9]{40}`,
    String.raw`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}`,
    // Payments and shops
    String.raw`(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}`,
    String.raw`(?:sq0atp|sq0csp)-[A-Za-z0-9_-]{20,}`,
    String.raw`shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`,
    String.raw`access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`,
    // Mail and messages
    String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
    String.raw`key-[a-f0-9]{32}`,
    String.raw`[a-f0-9]{32}-us[0-9]{1,2}`,
    String.raw`SK[a-f0-9]{32}`,
    String.raw`re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}`,
    String.raw`xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}`,
    // Tools
    String.raw`(?:lin_api|ntn|secret|PMAK|NRAK|glsa|glc|sntrys|sntryu|phx|figd|CFPAT|dp\.pt\.|dckr_pat|dckr_oat|rnd|rpa|ubdc)[_-][A-Za-z0-9_-]{30,}`,
    String.raw`AGE-SECRET-KEY-1[A-Z0-9]{50,}`,
  ),
  prefixed(
    "token",
    String.raw`gh[opusr]_[A-Za-z0-9]{30,}`,
    String.raw`github_pat_[A-Za-z0-9_]{40,}`,
    String.raw`gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas|imt)-[A-Za-z0-9_.-]{16,}`,
    String.raw`xox[abcdeoprs]-[A-Za-z0-9-]{10,}`,
    String.raw`xapp-[0-9]-[A-Za-z0-9-]{20,}`,
    String.raw`npm_[A-Za-z0-9]{30,}`,
    String.raw`pypi-[A-Za-z0-9_-]{50,}`,
    String.raw`rubygems_[a-f0-9]{40,}`,
    String.raw`cio[A-Za-z0-9]{32}(?![A-Za-z0-9])`,
    String.raw`hv[sbr]\.[A-Za-z0-9_-]{20,}`,
    String.raw`tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}`,
    String.raw`(?:ATATT3|ATCTT3|ATBB)[A-Za-z0-9_=-]{24,}`,
    String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
    String.raw`1//0[A-Za-z0-9_-]{30,}`,
    String.raw`GOCSPX-[A-Za-z0-9_-]{20,}`,
    String.raw`EAA[A-Za-z0-9]{60,}`,
    String.raw`whsec_[A-Za-z0-9+/=]{20,}`,
    String.raw`rv_[A-Za-z0-9_-]{20,}`,
    String.raw`[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`,
    String.raw`[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}`,
    String.raw`[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`,
  ),
  // Two parts that begin as JSON does, then a signature (and, encrypted, two parts more).
  { kind: "token", shape: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g },
  { kind: "token", shape: /(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]{4,}){4}/g },
  { kind: "token", shape: /\bBearer\s{1,4}(?=[^\s'"]{0,200}[0-9])([A-Za-z0-9._~+/=-]{16,})/gi },
  { kind: "password", shape: /\bAuthorization["']?\s{0,2}[:=]\s{0,2}["']?Basic\s{1,4}([A-Za-z0-9+/=_-]{6,})/gi },
  {
    kind: "webhook address",
    shape:
      /(?<![\w.-])(?:https?:\/\/)?(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:[a-z]{1,10}\.)?discord(?:app)?\.com\/api\/webhooks|hooks\.zapier\.com\/hooks\/catch|hook\.[a-z0-9.]{0,10}make\.com|maker\.ifttt\.com\/trigger\/[\w-]{1,60}\/with\/key|[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2)\/[\w\-/.@]{8,}/gi,
  },
  { kind: "connection string", shape: /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=([A-Za-z0-9+/=%&_-]{20,})/g },
  { kind: "signature", shape: /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=([A-Za-z0-9%+/=_-]{20,})/gi },
  {
    kind: "password hash",
    shape: /(?<![\w$])\$(?:apr1|1|2[abxy]|5|6|7|y|gy|argon2(?:id?|d)|scrypt|pbkdf2[a-z0-9-]{0,12})\$[^\s:"'`]{16,}/g,
  },
  { kind: "private key", shape: /(?<![A-Za-z0-9])[xyz]prv[1-9A-HJ-NP-Za-km-z]{90,}/g },
  { kind: "private key", shape: /(?<![A-Za-z0-9])(?=[A-Za-z]{0,50}[0-9])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/g },
  { kind: "password", shape: /(?<![\w.-])machine\s{1,4}\S{1,100}\s{1,4}login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(\S{1,200})/g },
  {
    kind: "password",
    shape: /(?<![\w.:-])[A-Za-z][\w.-]{0,60}:(?:[0-9]{4,5}|\*):[\w*-]{1,40}:[\w-]{1,40}:([^\s:]{4,100})(?!\S)/g,
  },
  { kind: "password", shape: /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]{0,2}['"]?[^\s:'"]{1,80}:([^\s'"]{2,100})/g },
  { kind: "password", shape: /\bsshpass\s{1,4}-p\s{0,2}['"]?([^\s'"]{2,100})/g },
];

/** Keys in armour: where one begins, and what ends it. */
export const PRIVATE_KEY_HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
export const PRIVATE_KEY_END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:[^\n]{0,100}/g;

/** A user and a password in an address. Groups: user, password. */
export const ADDRESS_WITH_PASSWORD =
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,24}:\/\/([^\s/:@?#"'<>]{0,128}):([^\s/?#"'<>]{1,200})@(?=[\w[])/g;
