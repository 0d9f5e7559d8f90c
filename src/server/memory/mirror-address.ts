// Which addresses a server may be asked at: public names over https. What leads into the machine or its network is refused. Pure.

/** Endings of names that never are public. */
const PRIVATE_NAMES = [
  "local",
  "localhost",
  "internal",
  "intranet",
  "private",
  "lan",
  "home",
  "corp",
  "arpa",
  "test",
  "invalid",
  "onion",
];
const ADDRESS_MAX_CHARS = 2000;

/** An address, or the sentence why it is refused. */
export type JudgedAddress = { ok: true; url: URL } | { ok: false; message: string };

const refuse = (message: string): JudgedAddress => ({ ok: false, message });

/** Networks of IPv4 that are not public (IANA special-purpose registry), as first address and bits. */
const PRIVATE_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

function v4Number(text: string): number | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return null;
  const parts = match.slice(1).map(Number);
  return parts.some((part) => part > 255) ? null : parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** The eight groups of an IPv6 address, or null. */
function v6Groups(text: string): number[] | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted ? v4Number(dotted[2]!) : null;
  if (dotted && tail === null) return null;
  const plain = dotted ? `${dotted[1]}${Math.floor(tail! / 65536).toString(16)}:${(tail! % 65536).toString(16)}` : text;
  const halves = plain.split("::");
  if (halves.length > 2 || !/^[0-9a-f:]+$/i.test(plain)) return null;
  const [front, back] = halves.map((half) => (half === "" ? [] : half.split(":"))) as [string[], string[]?];
  const missing = 8 - front.length - (back?.length ?? 0);
  if (back ? missing < 0 : missing !== 0) return null;
  const groups = [...front, ...Array.from({ length: back ? missing : 0 }, () => "0"), ...(back ?? [])].map((group) =>
    Number.parseInt(group, 16),
  );
  return groups.some((group) => !(group >= 0 && group <= 0xffff)) ? null : groups;
}

/** Whether an IP address is one of the public internet; null where the text is no IP address. */
export function isPublicIp(text: string): boolean | null {
  const four = v4Number(text);
  if (four !== null)
    return !PRIVATE_V4.some(
      ([first, bits]) => Math.floor(four / 2 ** (32 - bits)) === Math.floor(v4Number(first)! / 2 ** (32 - bits)),
    );
  const six = v6Groups(text);
  if (six === null) return null;
  // Global unicast only; of that, what carries another address inside (Teredo, 6to4) or is for documentation is out.
  const [a, b] = six as [number, number];
  return a >= 0x2000 && a <= 0x3fff && !(a === 0x2001 && (b < 0x200 || b === 0xdb8)) && a !== 0x2002 && a !== 0x3fff;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** What an address leads to, in the words of its refusals. */
const WORDS = {
  mirror: {
    name: "A mirror",
    path: "That address names a server but no repository.",
    query: "The address of a repository has no ? and no #.",
  },
  endpoint: {
    name: "A model endpoint",
    path: "That address names a server but no endpoint: most end in /v1.",
    query: "The address of an endpoint has no ? and no #.",
  },
  import: {
    name: "A repository",
    path: "That address names a server but no repository.",
    query: "The address of a repository has no ? and no #.",
  },
} as const;

/** Judges the address of a remote. `loopback`: this machine itself is allowed, also without https; for tests only. */
export function judgeAddress(
  text: string,
  { loopback, what = "mirror" }: { loopback: boolean; what?: keyof typeof WORDS },
): JudgedAddress {
  const words = WORDS[what];
  if (text.length > ADDRESS_MAX_CHARS) return refuse("That address is too long.");
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return refuse("That is not an address. Write one like https://git.example.org/me/memory.git.");
  }
  const host = url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const here = loopback && isLoopback(host);
  if (url.username !== "" || url.password !== "")
    return refuse(
      `${what === "import" ? "Only what anybody may read is imported: leave user and password out of the address." : `Give the ${what === "mirror" ? "token" : "key"} in its own field, not in the address.`}`,
    );
  if (url.protocol !== "https:" && !(here && url.protocol === "http:"))
    return refuse(`${words.name} is reached over https only.`);
  if (url.search !== "" || url.hash !== "") return refuse(words.query);
  if (url.pathname.replace(/\/+$/, "") === "") return refuse(words.path);
  if (here) return { ok: true, url };
  const ip = isPublicIp(host);
  const isPrivate = ip === null ? !host.includes(".") || PRIVATE_NAMES.includes(host.slice(host.lastIndexOf(".") + 1)) : !ip;
  if (isPrivate) return refuse(`That address leads into a private network. ${words.name} stands on a public server.`);
  return { ok: true, url };
}
