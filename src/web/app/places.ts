// The places of the app, in the order in which the spine and the keys name them.
export interface Place {
  name: string;
  href: string;
  /** Paths that belong to it. */
  owns: RegExp;
  key: string;
}

export const PLACES: readonly (Place | null)[] = [
  { name: "Chat", href: "/", owns: /^\/(t\/.*)?$/, key: "g c" },
  { name: "Vault", href: "/vault", owns: /^\/vault(\/|$)/, key: "g v" },
  { name: "Graph", href: "/graph", owns: /^\/graph/, key: "g g" },
  { name: "Notes", href: "/notes", owns: /^\/notes/, key: "g n" },
  null,
  { name: "History", href: "/history", owns: /^\/history/, key: "g h" },
  { name: "Dreams", href: "/dreams", owns: /^\/dreams/, key: "g d" },
  { name: "Forgotten", href: "/forgotten", owns: /^\/forgotten/, key: "g f" },
  null,
  { name: "About me", href: "/about", owns: /^\/about/, key: "g a" },
  { name: "Costs", href: "/costs", owns: /^\/costs/, key: "g m" },
  { name: "Settings", href: "/settings/memory", owns: /^\/settings/, key: "g s" },
];

/** The five words at the bottom of a phone; the rest stands behind More. */
export const SHORT = ["Chat", "Vault", "History", "Dreams"];
